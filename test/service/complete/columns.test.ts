import { describe, expect, test } from "vitest";
import { atCaret, CARET, detailsAt, labelsAt, serviceWorld } from "./at-caret.js";

const HEAD =
  "graph_name,node_name,next_node,agent_type,next_on_success,next_on_failure,input_fields,output_field,prompt,context\n";

/** A small graph; `cells` are those of its third row. */
const shop = (cells: string): string =>
  `${HEAD}Shop,Ask,Price,input,,,,product,What?,
Shop,Price,Tell,lookup,,Sorry,product,price:number|note,,
${cells}
Shop,Sorry,,echo,,,,reply,Sorry,
Shop,"Ship, now",,echo,,,price,,,
`;

describe("targets", () => {
  test("are the nodes, those that nothing leads to first, and END; the node itself is last", () => {
    expect(detailsAt(shop(`Shop,Tell,${CARET},echo,,,,,,`))).toMatchInlineSnapshot(`
      [
        "Ship, now: echo, row 6",
        "Ask: input, row 2",
        "Price: lookup, row 3",
        "Sorry: echo, row 5",
        "END: the run ends here",
        "Tell: echo, row 4",
      ]
    `);
  });

  test("only the item at the caret is replaced, and what the list has is not offered again", () => {
    const { items, choose } = atCaret(shop(`Shop,Tell,Ask|So${CARET}ry|Price,echo,,,,,,`));
    expect(items.map(({ label }) => label)).toEqual(["Ship, now", "Sorry", "END", "Tell"]);
    expect(choose("Tell")).toBe(shop("Shop,Tell,Ask|Tell|Price,echo,,,,,,"));
  });

  test("a name that needs quotes brings them: one edit over the whole cell", () => {
    const { items, choose } = atCaret(shop(`Shop,Tell,Ask|Sh${CARET},echo,,,,,,`));
    expect(choose("Ship, now")).toBe(shop('Shop,Tell,"Ask|Ship, now",echo,,,,,,'));
    expect(items.find(({ label }) => label === "Ship, now")?.filter).toBe("Ask|Ship, now");
    expect(atCaret(shop(`Shop,Tell,"Ask|Sh${CARET}",echo,,,,,,`)).choose("Ship, now")).toBe(
      shop('Shop,Tell,"Ask|Ship, now",echo,,,,,,'),
    );
  });
});

describe("agents", () => {
  test("are those of the project, then the built-in ones with their line, then their other names", () => {
    const world = { ...serviceWorld(), customAgents: [{ name: "Lookup", file: "agents/lookup.ts" }] };
    expect(detailsAt(shop(`Shop,Tell,,${CARET},,,,,,`), { world })).toMatchInlineSnapshot(`
      [
        "Lookup: agents/lookup.ts",
        "default: Says its rendered prompt, or passes on its input.",
        "echo: Says its rendered prompt, or passes on its input.",
        "input: Asks a person for a value, unless the run was given it.",
        "human: Asks a person to approve, to choose or to write; a no is a failure.",
        "branching: Decides between success and failure, and writes true or false.",
        "formula: Computes its prompt, a formula over its inputs.",
        "switch: Goes to the one node of its list that its first input names.",
        "success: Always succeeds; its value is the rendered prompt.",
        "failure: Always fails; the rendered prompt becomes the field \`error\`.",
        "llm: Asks the language model of the configuration; its prompt is the message.",
        "openai: Asks a language model of OpenAI; its prompt is the message.",
        "anthropic: Asks a language model of Anthropic; its prompt is the message.",
        "google: Asks a language model of Google; its prompt is the message.",
        "summary: Joins its inputs to one text, each by a template.",
        "orchestrator: Chooses the one node of its list that its inputs fit best.",
        "graph: Runs another graph with its inputs, once or for each item of a list.",
        "list: Filters, sorts, shortens, groups or picks from the list that its first input holds.",
        "wait: Goes on after a time, or at one; meanwhile the run is put aside.",
        "mail: Sends its prompt as a mail.",
        "notify: Sends its prompt as a message: to Slack, Teams, Discord, Telegram or a hook.",
        "mcp: Calls a tool of another server over the Model Context Protocol; its inputs are the arguments.",
        "sql: Asks or changes a database: its prompt is the statement, and \`{name}\` is bound as a value.",
        "http: Calls a host outside over HTTP, and gives the body of its answer.",
        "json_reader: Reads a JSON file of the data folder, or entries of it.",
        "json_writer: Writes a JSON file of the data folder, or changes entries of it.",
        "csv_reader: Reads the rows of a CSV file of the data folder.",
        "csv_writer: Writes rows into a CSV file of the data folder, or changes some.",
        "file_reader: Reads a text file of the data folder, or lines of it.",
        "file_writer: Writes a text file of the data folder.",
        "calculate: another name of formula",
        "expression: another name of formula",
        "gpt: another name of openai",
        "chatgpt: another name of openai",
        "claude: another name of anthropic",
        "gemini: another name of google",
      ]
    `);
  });
});

describe("inputs", () => {
  test("fields that are set come first, with their types", () => {
    expect(detailsAt(shop(`Shop,Tell,,echo,,,${CARET},,,`))).toMatchInlineSnapshot(`
      [
        "product: string, set",
        "price: number, set",
        "note: set",
        "reply: string, may be unset",
        "error: string, may be unset",
        "$run_id: The id of the run.",
        "$graph: The graph that the node belongs to.",
        "$started_at: When the run began.",
        "$started_by: The user who began the run; unset when nobody is known.",
        "$now: The time of the visit.",
        "$today: The date of the visit, such as 2026-11-22.",
      ]
    `);
  });

  test("what follows the name stays", () => {
    expect(atCaret(shop(`Shop,Tell,,echo,,,cost=pr${CARET}od.net?:number|note,,,`)).choose("price")).toBe(
      shop("Shop,Tell,,echo,,,cost=price.net?:number|note,,,"),
    );
  });

  test("types stand behind a colon, that of the field first", () => {
    expect(labelsAt(shop(`Shop,Tell,,echo,,,price:${CARET},,,`))).toMatchInlineSnapshot(`
      [
        "number",
        "string",
        "boolean",
        "object",
        "list",
        "any",
        "string[]",
        "number[]",
        "boolean[]",
        "object[]",
        "'a'/'b'",
      ]
    `);
    expect(labelsAt(shop(`Shop,Tell,,echo,,,price.${CARET},,,`))).toEqual([]);
  });

  test("a called graph says what it asks for", () => {
    const sheet = `${HEAD}Main,Call,,graph,,,${CARET},,,"{""graph"": ""Sub""}"\nSub,One,,echo,,,item:string,two,,\n`;
    expect(detailsAt(sheet)).toMatchInlineSnapshot(`
      [
        "$run_id: The id of the run.",
        "$graph: The graph that the node belongs to.",
        "$started_at: When the run began.",
        "$started_by: The user who began the run; unset when nobody is known.",
        "$now: The time of the visit.",
        "$today: The date of the visit, such as 2026-11-22.",
        "item=: Sub needs it: string",
      ]
    `);
    expect(detailsAt(sheet.replace(`${CARET},,`, `,${CARET},`))).toMatchInlineSnapshot(`
      [
        "item: Sub gives it: string",
        "two: Sub gives it: string",
      ]
    `);
  });
});

describe("outputs", () => {
  test("fields that are read and never written come first", () => {
    expect(detailsAt(shop(`Shop,Tell,,human,,,address,${CARET},,`))).toMatchInlineSnapshot(`
      [
        "address: no node writes it",
        "product: string",
        "price: number",
        "note: ",
        "reply: string",
        "error: string",
        "comment: human gives it",
        "by: human gives it",
        "at: human gives it",
      ]
    `);
  });
});

describe("prompts", () => {
  test("inputs come first, then fields that could be among them", () => {
    expect(
      detailsAt(shop(`Shop,Tell,,echo,,,cost=price|$today|note,,Hello {${CARET},`)),
    ).toMatchInlineSnapshot(`
      [
        "cost: number, set",
        "$today: string, set",
        "note: set",
        "product: string, set, not among the inputs",
        "reply: string, may be unset, not among the inputs",
        "error: string, may be unset, not among the inputs",
      ]
    `);
  });

  test("the brace is closed where it is not", () => {
    expect(atCaret(shop(`Shop,Tell,,echo,,,cost=price,,Hello {co${CARET} you,`)).choose("cost")).toBe(
      shop("Shop,Tell,,echo,,,cost=price,,Hello {cost} you,"),
    );
    expect(atCaret(shop(`Shop,Tell,,echo,,,cost=price,,Hello {co${CARET}} you,`)).choose("cost")).toBe(
      shop("Shop,Tell,,echo,,,cost=price,,Hello {cost} you,"),
    );
  });

  test("nothing is offered outside of braces, in doubled ones and in a path", () => {
    for (const prompt of [`Hello ${CARET}`, `{{co${CARET}}}`, `{cost.${CARET}}`, `{"a": ${CARET}}`])
      expect(labelsAt(shop(`Shop,Tell,,echo,,,cost=price,,"${prompt.replaceAll('"', '""')}",`))).toEqual([]);
  });
});

describe("settings", () => {
  const context = (agent: string, json: string): string =>
    shop(`Shop,Tell,,${agent},,,price|ok:boolean,,,"${json.replaceAll('"', '""')}"`);

  test("those of the agent come first; an empty cell gets braces", () => {
    expect(detailsAt(context("switch", CARET))).toMatchInlineSnapshot(`
      [
        "cases: an object of node names",
        "default: the name of a node",
        "retry: any value",
        "timeout_ms: a number",
        "max_visits: a whole number",
        "on_limit: the name of a node",
        "merge: an object",
        "description: text",
        "timezone: text",
        "schedule: text",
        "catch_up: "last" or "none" or "all"",
        "missed: "once" or "skip"",
        "overlap: "allow" or "skip" or "queue"",
        "webhook: an object",
        "mcp: true or false",
      ]
    `);
    expect(atCaret(shop(`Shop,Tell,,switch,,,price,,,${CARET}`)).choose("retry")).toBe(
      shop('Shop,Tell,,switch,,,price,,,"{""retry"": }"'),
    );
  });

  test("keys that are there are not offered again, and a colon is not doubled", () => {
    const { items, choose } = atCaret(context("switch", `{"retry": 3, "ti${CARET}": 5}`));
    expect(items.map(({ label }) => label)).toContain("timeout_ms");
    expect(items.map(({ label }) => label)).not.toContain("retry");
    expect(choose("timeout_ms")).toBe(context("switch", '{"retry": 3, "timeout_ms": 5}'));
  });

  const NODES = ["Ship, now", "Ask", "Price", "Sorry", "END", "Tell"];
  const GENERAL = [
    "retry",
    "timeout_ms",
    "max_visits",
    "on_limit",
    "merge",
    "description",
    "timezone",
    "schedule",
    "catch_up",
    "missed",
    "overlap",
    "webhook",
    "mcp",
  ];

  test.each([
    ["switch", `{"default": "${CARET}"}`, NODES],
    ["switch", `{"cases": {"a": ${CARET}}}`, NODES],
    ["switch", `{"on_limit": "So${CARET}, "retry": 3}`, NODES],
    ["human", `{"interaction": ${CARET}}`, ["approval", "choice", "text"]],
    ["human", `{"not_starter": ${CARET}}`, ["true", "false"]],
    ["human", `{"options": ["ship", "hold"], "default_action": ${CARET}}`, ["ship", "hold"]],
    ["human", `{"default_action": ${CARET}}`, ["approve", "reject"]],
    ["human", `{"assignee": {"input": ${CARET}}}`, ["price", "ok"]],
    ["branching", `{"when": {${CARET}}}`, ["price", "ok"]],
    [
      "branching",
      `{"when": {"ok": ${CARET}}}`,
      ["true", "false", '"<>"', '""', '">"', '">="', '"<"', '"<="'],
    ],
    ["branching", `{"success_field": ${CARET}}`, ["price", "ok"]],
    ["graph", `{"graph": ${CARET}}`, ["Shop"]],
    ["echo", `{"merge": {${CARET}}}`, ["product", "price", "note", "ok", "reply", "error"]],
    ["echo", `{"merge": {"note": ${CARET}}}`, ["append", "last", "sum"]],
    ["echo", `{"retry": {"attempts": 3, ${CARET}}}`, ["delay_ms", "factor", "max_delay_ms"]],
    ["csv_reader", `{"types": {"net": ${CARET}}}`, ["string", "number", "boolean", "date"]],
    ["csv_reader", `{"query": {"filter": {"net": {${CARET}}}}}`, ["input", "is"]],
    ["csv_reader", `{"query": {"order": ["asc", ${CARET}]}}`, ["asc", "desc"]],
    ["csv_reader", `{"query": {"limit": 3, ${CARET}}}`, ["filter", "sort", "order", "offset"]],
    ["own_agent", `{${CARET}}`, GENERAL],
    ["own_agent", `{"cases": {"a": ${CARET}}}`, []],
    ["summary", `{"include_keys": ["price", ${CARET}]}`, ["price", "ok"]],
    ["echo", `{"retry": 3 ${CARET}}`, []],
    ["echo", `{"retry"${CARET}: 3}`, GENERAL],
    ["echo", `{${CARET}`, GENERAL],
    ["echo", `{"retry": 3, ${CARET}`, GENERAL.slice(1)],
    ["echo", `{retry: 3, ti${CARET}}`, GENERAL.slice(1)],
  ])("%s %s", (agent, json, expected) => {
    expect(labelsAt(context(agent, json))).toEqual(expected);
  });

  test("free text is left alone", () => {
    expect(labelsAt(shop(`Shop,Tell,,echo,,,,,,Tells the ${CARET}`))).toEqual([]);
  });

  test("a column of a setting takes plain values", () => {
    const sheet = (head: string, cell: string): string =>
      `graph_name,node_name,agent_type,${head}\nShop,Ask,human,${cell}\nShop,"A, B",echo,\nShop,12,echo,\n`;
    expect(labelsAt(sheet("context.interaction", CARET))).toEqual(["approval", "choice", "text"]);
    expect(labelsAt(sheet("context.Not Starter", `t${CARET}`))).toEqual(["true", "false"]);
    expect(labelsAt(sheet("context.on_limit", CARET))).toEqual(["A, B", "END", "Ask"]);
    expect(atCaret(sheet("context.on_limit", CARET)).choose("A, B")).toBe(
      sheet("context.on_limit", '"A, B"'),
    );
    expect(atCaret(sheet("context.retry", CARET)).choose("attempts")).toBe(
      sheet("context.retry", '"{""attempts"": }"'),
    );
  });
});

describe("names of graphs and nodes", () => {
  test("graphs of the sheet, that of the row above first", () => {
    const text = `graph_name,node_name\nA,One\nB,Two\n${CARET}`;
    expect(labelsAt(text)).toEqual(["B", "A"]);
    expect(atCaret(text).choose("A")).toBe("graph_name,node_name\nA,One\nB,Two\nA");
  });

  test("nodes that are named and not there", () => {
    expect(detailsAt(`graph_name,node_name,next_node\nA,One,Two|END|Three\nA,Three,\nA,${CARET},\n`)).toEqual(
      ["Two: One leads there"],
    );
  });
});

describe("the header", () => {
  test("columns that are missing, and settings", () => {
    const items = detailsAt(`graph_name,node_name,${CARET},context.retry\nA,One,,\nA,Two,,\n`);
    expect(items).toMatchInlineSnapshot(`
      [
        "next_node: Where the run goes after every outcome that no other column takes.",
        "context: A description in words, or settings in JSON.",
        "agent_type: Who does the work; an empty cell means \`default\`.",
        "next_on_success: Where the run goes after a success.",
        "next_on_failure: Where the run goes after a failure or an error.",
        "input_fields: The fields that the node reads.",
        "output_field: The fields that the node writes.",
        "prompt: The text for the agent; \`{name}\` stands for an input.",
        "description: The node in words.",
        "context.timeout_ms: How long one attempt, or the wait for an answer, may take.",
        "context.max_visits: How often a run may come to this node.",
        "context.on_limit: The node that the visit after the last one goes to.",
        "context.merge: What becomes of a field that two branches write: \`{"notes": "append"}\`, \`"last"\` or \`"sum"\`.",
        "context.description: The node in words.",
        "context.timezone: The clock of \`$today\` and of \`schedule\`; in the first row of a graph.",
        "context.schedule: When workers begin the graph: a cron expression, in its first row.",
        "context.catch_up: Beside \`schedule\`: which of the times are made up for at which nobody was at work.",
        "context.missed: Beside \`schedule\`: \`once\` is \`last\` of \`catch_up\`, \`skip\` is \`none\`.",
        "context.overlap: Beside \`schedule\`: what becomes of a time at which its last run has not ended.",
        "context.webhook: How requests begin the graph, in its first row: \`{"path": "/orders", "secret": "env:ORDERS"}\`.",
        "context.mcp: False hides the graph from assistants, to which it would be a tool; in its first row.",
      ]
    `);
  });
});

describe("nothing", () => {
  test.each([
    ["a comment", `graph_name,node_name,next_node\n# a, ${CARET}\nA,B,\n`],
    ["above the header", `# ${CARET}\ngraph_name,node_name,next_node\nA,B,\n`],
    ["a private column", `graph_name,node_name,#mine\nA,B,${CARET}\n`],
    ["a description", `graph_name,node_name,description\nA,B,${CARET}\n`],
    ["another file", `name,age\nAda,${CARET}\n`],
    ["the separator's line", `sep=${CARET};\ngraph_name;node_name\nA;B\n`],
    ["a cell beyond the header", `graph_name,node_name\nA,B,${CARET}\n`],
  ])("is offered in %s", (_, text) => {
    expect(labelsAt(text)).toEqual([]);
  });
});
