/** A built-in agent as `flowsheet/agents` exports it. */
export interface BuiltinExport {
  readonly name: string;
  /** Of an agent that produces what the sheet says: the type that it has without a type argument. */
  readonly makes?: "string" | "unknown";
  /** It answers with a receipt: some outputs take an entry of it, any other single one takes it whole. */
  readonly receipt?: true;
}

/** Every built-in agent but `graph`, by type: the one place that knows their exports. */
const EXPORTS: ReadonlyMap<string, BuiltinExport> = new Map(
  Object.entries({
    default: { name: "echo", makes: "unknown" },
    echo: { name: "echo", makes: "unknown" },
    input: { name: "input", makes: "string" },
    human: { name: "human", makes: "string" },
    branching: { name: "branching" },
    switch: { name: "switching" },
    success: { name: "success" },
    failure: { name: "failure" },
    llm: { name: "llm", makes: "string" },
    openai: { name: "openai", makes: "string" },
    anthropic: { name: "anthropic", makes: "string" },
    google: { name: "google", makes: "string" },
    summary: { name: "summary" },
    orchestrator: { name: "orchestrator" },
    json_reader: { name: "jsonReader", makes: "unknown" },
    json_writer: { name: "jsonWriter", receipt: true },
    csv_reader: { name: "csvReader", makes: "unknown" },
    csv_writer: { name: "csvWriter", receipt: true },
    file_reader: { name: "fileReader", makes: "unknown" },
    file_writer: { name: "fileWriter", receipt: true },
  } satisfies { readonly [type: string]: BuiltinExport }),
);

/** How a built-in agent is exported; an agent that is not in the table is a bug. */
export function builtinExport(type: string): BuiltinExport {
  const found = EXPORTS.get(type);
  if (found === undefined) throw new Error(`the built-in agent "${type}" has no export`);
  return found;
}

/** True for an agent that gives its input as it is when it has no prompt. */
export const isCopier = (type: string): boolean => EXPORTS.get(type)?.name === "echo";

/** The types of the table, for the test that keeps it in step with the agents. */
export const builtinTypes = (): readonly string[] => [...EXPORTS.keys()];
