/** A built-in agent as `flowsheet/agents` exports it. */
interface BuiltinExport {
  readonly name: string;
  /** The default of the type argument, for an agent that produces the type in the sheet. */
  readonly makes?: "string" | "unknown";
  readonly receipt?: true;
}

/** The exports of all built-in agents but `graph`, by type. */
const EXPORTS: ReadonlyMap<string, BuiltinExport> = new Map(
  Object.entries({
    default: { name: "echo", makes: "unknown" },
    echo: { name: "echo", makes: "unknown" },
    input: { name: "input", makes: "string" },
    human: { name: "human", makes: "string" },
    branching: { name: "branching" },
    formula: { name: "formula", makes: "unknown" },
    switch: { name: "switching" },
    success: { name: "success" },
    failure: { name: "failure" },
    llm: { name: "llm", makes: "string" },
    openai: { name: "openai", makes: "string" },
    anthropic: { name: "anthropic", makes: "string" },
    google: { name: "google", makes: "string" },
    summary: { name: "summary" },
    orchestrator: { name: "orchestrator" },
    list: { name: "list", makes: "unknown" },
    wait: { name: "wait" },
    mail: { name: "mail" },
    notify: { name: "notify" },
    mcp: { name: "mcp", makes: "unknown" },
    sql: { name: "sql", makes: "unknown" },
    http: { name: "http", makes: "unknown" },
    json_reader: { name: "jsonReader", makes: "unknown" },
    json_writer: { name: "jsonWriter", receipt: true },
    csv_reader: { name: "csvReader", makes: "unknown" },
    csv_writer: { name: "csvWriter", receipt: true },
    file_reader: { name: "fileReader", makes: "unknown" },
    file_writer: { name: "fileWriter", receipt: true },
  } satisfies { readonly [type: string]: BuiltinExport }),
);

export function builtinExport(type: string): BuiltinExport {
  const found = EXPORTS.get(type);
  if (found === undefined) throw new Error(`the built-in agent "${type}" has no export`);
  return found;
}

/** For the test that compares the table with the agents. */
export const builtinTypes = (): readonly string[] => [...EXPORTS.keys()];
