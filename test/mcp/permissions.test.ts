import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, expect, test } from "vitest";
import { authentication, KEYS, startService } from "../http/service.js";
import { type Called, callTool, connect, ERAS, type Era, project, startAssistant } from "./assistant.js";
import { DESK, WRITER } from "./sheets.js";

const eras = Object.keys(ERAS) as readonly Era[];
const files = { "workflows/desk.csv": DESK, "workflows/team/store.csv": WRITER };

const keyOf = (name: string): string => `fsk_${name}-0123456789-0123456789-01234567890`;
/** Beside the keys of the four kinds. */
const MORE = {
  answerer: "permissions: [answer]",
  refunds: "permissions: [execute], graphs: [Refund]",
  "refund-readers": "permissions: [read], graphs: [Refund]",
  "refund-answerers": "permissions: [answer], graphs: [Refund]",
  "survey-answerers": "permissions: [answer], graphs: [Survey]",
  team: 'permissions: [execute], graphs: ["team/*"]',
} as const;
const entries = Object.entries(MORE).map(
  ([name, rest]) => `    ${name}: {key: ${keyOf(name)}, user_id: ${name}, ${rest}}\n`,
);
const config = `${authentication(entries.join(""))}server:\n  mcp: {enabled: true}\n`;

/** The workflows that are tools, with what they are called with and the status of the run. */
const WORKFLOWS = {
  hello_andern: [{ name: "Ada" }, "completed"],
  refund: [{ customer: "Ada", amount: 9 }, "suspended"],
  survey: [{}, "suspended"],
  hello_andern_2: [{ name: "Ada" }, "completed"],
  store: [{ note: "a note" }, "completed"],
} as const;
const ALL = Object.keys(WORKFLOWS) as readonly (keyof typeof WORKFLOWS)[];
const READING = {
  flowsheet_validate: { csv: DESK },
  flowsheet_explain: { code: "unknown-node" },
  flowsheet_inspect: { graph: "Refund" },
  flowsheet_agents: { type: "http" },
  flowsheet_runs: {},
} as const;

interface Right {
  readonly reads: boolean;
  readonly runs: readonly (keyof typeof WORKFLOWS)[];
  /** The graphs whose runs it may answer. */
  readonly answers: readonly ("Refund" | "Survey")[];
  /** Other graphs are not there for it. */
  readonly graphs?: readonly string[];
}

const BOTH = ["Refund", "Survey"] as const;
const RIGHTS: { readonly [key: string]: Right } = {
  readonly: { reads: true, runs: [], answers: [] },
  developer: { reads: true, runs: [], answers: [] },
  executor: { reads: true, runs: ALL, answers: BOTH },
  admin: { reads: true, runs: ALL, answers: BOTH },
  answerer: { reads: false, runs: [], answers: BOTH },
  refunds: { reads: true, runs: ["refund"], answers: ["Refund"], graphs: ["Refund"] },
  "refund-readers": { reads: true, runs: [], answers: [], graphs: ["Refund"] },
  "refund-answerers": { reads: false, runs: [], answers: ["Refund"], graphs: ["Refund"] },
  "survey-answerers": { reads: false, runs: [], answers: ["Survey"], graphs: ["Survey"] },
  team: { reads: true, runs: ["store"], answers: [], graphs: ["Store"] },
};
const MAY_ANSWER = new Set([
  "executor",
  "admin",
  "answerer",
  "refunds",
  "refund-answerers",
  "survey-answerers",
  "team",
]);

type Call = (name: string, args?: { readonly [name: string]: unknown }) => Promise<Called>;

/** Calls every tool there is, and holds the answers against the rights. */
async function tryAll(call: Call, listed: readonly string[], right: Right, begin: Begin, mayAnswer: boolean) {
  const expected = [
    ...right.runs,
    ...(right.reads ? Object.keys(READING) : []),
    ...(mayAnswer ? ["flowsheet_resume"] : []),
  ];
  expect(listed).toEqual(expected);
  for (const name of ALL) {
    const [args, status] = WORKFLOWS[name];
    if (right.runs.includes(name)) expect((await call(name, args)).data, name).toMatchObject({ status });
    else await expect(call(name, args), name).rejects.toMatchObject(NO_TOOL);
  }
  for (const [name, args] of Object.entries(READING)) {
    const isHidden = name === "flowsheet_inspect" && right.graphs?.includes("Refund") === false;
    if (!right.reads) await expect(call(name, args), name).rejects.toMatchObject(NO_TOOL);
    else expect((await call(name, args)).isError, name).toBe(isHidden);
  }
  for (const name of ["secret", "flowsheet_fix", "flowsheet_test"])
    await expect(call(name), name).rejects.toMatchObject(NO_TOOL);
  for (const [graph, answers] of Object.entries(ANSWERS)) {
    const resume = call("flowsheet_resume", { run_id: await begin(graph), answers });
    if (!mayAnswer) await expect(resume, graph).rejects.toMatchObject(NO_TOOL);
    else if (right.answers.some((one) => one === graph))
      expect((await resume).data, graph).toMatchObject({ status: "completed" });
    else expect(await resume, graph).toMatchObject({ isError: true, data: { code: "run_not_found" } });
  }
}

const NO_TOOL = { code: -32_602 };
const ANSWERS = { Refund: { Check: "approve" }, Survey: { Ask: { count: 2, sure: true } } };
/** Begins a run that waits, and gives its id. */
type Begin = (graph: string) => Promise<unknown>;

const shared = startService({ files, config });
afterAll(async () => (await shared).stop());

async function overHttp(key: string, era: Era) {
  const { url } = await shared;
  const headers = { "X-API-Key": key };
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } });
  return connect(transport, { era });
}

const beginWith =
  (call: Call): Begin =>
  async (graph) => {
    const [args] = WORKFLOWS[graph === "Refund" ? "refund" : "survey"];
    return (await call(graph.toLowerCase(), args)).data["run_id"];
  };

const cases = eras.flatMap((era) => Object.keys(RIGHTS).map((name) => [era, name] as const));

test.each(cases)("HTTP, %s: a key of the kind %s may call its tools, and no other", async (era, name) => {
  const key = name in KEYS ? KEYS[name as keyof typeof KEYS] : keyOf(name);
  const [one, other] = [await overHttp(key, era), await overHttp(KEYS.executor, era)];
  const listed = (await one.listTools()).tools.map((tool) => tool.name);
  const begin = beginWith((tool, args) => callTool(other, tool, args));
  const right = RIGHTS[name] as Right;
  await tryAll((tool, args) => callTool(one, tool, args), listed, right, begin, MAY_ANSWER.has(name));
  await one.close();
  await other.close();
});

test.each(eras)("standard input, %s: whoever starts it may call all, but what writes sheets", async (era) => {
  const { client, call, leave } = await startAssistant({ folder: project(files), era });
  const listed = (await client.listTools()).tools.map((tool) => tool.name);
  await tryAll(call, listed, { reads: true, runs: ALL, answers: BOTH }, beginWith(call), true);
  await leave();
});

test("a key that is limited to graphs is told nothing of the runs of others", async () => {
  const executor = await overHttp(KEYS.executor, "2026-07-28");
  const { data } = await callTool(executor, "survey");
  const readers = await overHttp(keyOf("refund-readers"), "2026-07-28");
  const seen = await callTool(readers, "flowsheet_runs", { status: "all" });
  const graphs = (seen.data["runs"] as readonly { readonly graph_name: string }[]).map(
    (one) => one.graph_name,
  );
  expect(graphs.filter((graph) => graph !== "Refund")).toEqual([]);
  const one = await callTool(readers, "flowsheet_runs", { run_id: data["run_id"] });
  expect(one.data["code"]).toBe("run_not_found");
  await executor.close();
  await readers.close();
});
