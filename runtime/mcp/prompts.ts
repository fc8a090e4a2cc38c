import type { GetPromptResult, Prompt } from "@modelcontextprotocol/server";

export const PROMPTS: readonly Prompt[] = [
  {
    name: "write-workflow",
    title: "Write a workflow",
    description: "Writes a new sheet for a task, and checks it until it is valid.",
    arguments: [{ name: "task", description: "what the workflow does", required: true }],
  },
  {
    name: "mend-sheet",
    title: "Mend a sheet",
    description: "Finds the problems of a sheet, and mends them one by one.",
    arguments: [{ name: "csv", description: "the text of the sheet", required: true }],
  },
];

const FORM = `A sheet is a CSV file with a header. Its columns: graph_name, node_name, agent_type, input_fields, output_field, prompt, next_node, next_on_success, next_on_failure, context.
- One row is one node. The rows of a graph share its graph_name, and its first row is where a run begins.
- input_fields names the fields that a node reads, output_field the one that it writes: several with | between them, a type after a colon (amount: number).
- next_node names where the run goes next, next_on_success and next_on_failure where an outcome leads. An empty cell ends the run.
- prompt is the text for the agent; {name} stands for an input.
- context holds settings as JSON, such as {"timeout_ms": 5000}; a cell with commas or quotes is quoted as in every CSV file.`;

const LOOP = `Call flowsheet_validate with the whole text. For each diagnostic use its fix, or call flowsheet_explain with its code, and validate again until there are no errors. Then show flowsheet_inspect's diagram.`;

/** The prompt, or why there is none. */
export function promptOf(name: string, given: { readonly [name: string]: string }): GetPromptResult | string {
  const known = PROMPTS.find((one) => one.name === name);
  if (known === undefined) return "there is no prompt of this name";
  const missing = known.arguments?.find((one) => (given[one.name] ?? "").trim() === "");
  if (missing !== undefined) return `the prompt ${name} needs ${missing.name}: ${missing.description}`;
  if (name === "write-workflow")
    return promptText(
      `Write a Flowsheet workflow that does this: ${given["task"]}\n\n${FORM}\n\nCall flowsheet_agents for the agents and their settings. ${LOOP}`,
    );
  return promptText(
    `Mend this Flowsheet sheet without changing what it does.\n\n${FORM}\n\n${LOOP}\n\n${given["csv"]}`,
  );
}

const promptText = (text: string): GetPromptResult => ({
  messages: [{ role: "user", content: { type: "text", text } }],
});
