import { userInfo } from "node:os";
import { describe, expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { type Ended, flowsheet } from "../cli/run.js";
import { suspendInFile } from "./old-file.js";

const ME = `os:${userInfo().username}`;
const SHEET = `graph_name,node_name,next_node,agent_type,input_fields,output_field,prompt,context.assignee,context.not_starter,context.escalate
Pay,Approve,Book,human,manager|amount,verdict|by,Pay {amount}?,"{""input"": ""manager""}",,
Pay,Book,,input,,booking,Which booking?,role:finance,,"{""after_ms"": 1, ""assignee"": [""${ME}""]}"
Eyes,Sure,,input,,sure,Sure?,,true,
`;

const told = ({ stdout }: Ended) => JSON.parse(stdout) as { readonly [key: string]: unknown };

const pairOf = (input: string): readonly [string, string] => [
  input.slice(0, input.indexOf("=")),
  input.slice(input.indexOf("=") + 1),
];

describe.each([
  ["kept from their start", { "flowsheet.yaml": "workflows: .\n" }],
  ["kept when they wait", {}],
  ["in files", null],
])("assignees of runs %s", (_, files) => {
  const folder = (): string => createFolder({ ...files, "pay.csv": SHEET });
  const start = async (cwd: string, graph: string, ...inputs: string[]): Promise<string> => {
    if (files === null) return suspendInFile(cwd, "pay.csv", Object.fromEntries(inputs.map(pairOf)), graph);
    const given = inputs.flatMap((one) => ["--input", one]);
    const ended = await flowsheet(["run", "pay.csv", "--graph", graph, "--json", ...given], { cwd });
    expect([ended.code, told(ended)["status"]]).toEqual([3, "suspended"]);
    return String(told(ended)["run_id"]);
  };
  const answer = (cwd: string, id: string, pair: string): Promise<Ended> =>
    flowsheet(["resume", id, "--json", "--answer", pair], { cwd });

  test("answer as users of the system; others are refused, and the run waits on", async () => {
    const cwd = folder();
    const id = await start(cwd, "Pay", "manager=os:nobody-else", "amount=5", "verdict=yes");
    const listed = told(await flowsheet(["runs", "--json"], { cwd }));
    expect(listed["runs"]).toMatchObject([{ waiting: [{ assignee: ["os:nobody-else"] }] }]);
    const refused = await answer(cwd, id, "Approve=yes");
    expect([refused.code, refused.stdout]).toEqual([1, ""]);
    expect(refused.stderr).toBe(`error: "Approve" is asked of os:nobody-else, not of ${ME}\n`);
    const mine = await start(cwd, "Pay", `manager=${ME}`, "amount=5");
    const first = told(await answer(cwd, mine, "Approve=yes"));
    expect(first).toMatchObject({ status: "suspended", state: { verdict: "yes", by: ME } });
  });

  test("the starter is refused where four eyes are wanted", async () => {
    const cwd = folder();
    const id = await start(cwd, "Eyes", "sure=given");
    const { code, stderr } = await answer(cwd, id, "Sure=yes");
    expect([code, stderr]).toEqual([
      1,
      `error: "Sure" is to be answered by somebody else than ${ME}, who started the run\n`,
    ]);
  });

  test("a name that is empty asks nobody, rather than everybody", async () => {
    const cwd = folder();
    const ended = await flowsheet(
      ["run", "pay.csv", "--graph", "Pay", "--input", "manager= ", "--input", "amount=5", "--json"],
      { cwd },
    );
    expect([ended.code, told(ended)["error"]]).toMatchObject([
      1,
      { code: "agent_failed", message: 'nobody can be asked: the input "manager" names nobody' },
    ]);
  });
});

test.each([
  ["kept from its start", { "flowsheet.yaml": "workflows: .\n" }],
  ["kept when it waits", {}],
])("a run %s says whom it asks, and offers answers only to those", async (_, files) => {
  const cwd = createFolder({ ...files, "pay.csv": SHEET });
  const run = async (graph: string, ...inputs: string[]): Promise<string> => {
    const given = inputs.flatMap((one) => ["--input", one]);
    return (await flowsheet(["run", "pay.csv", "--graph", graph, ...given], { cwd })).stderr;
  };
  const other = await run("Pay", "manager=ada", "amount=5");
  expect(other).toContain("waits: Approve  Pay 5?  (approve, reject)  asked of ada\n");
  expect(other).toMatch(/ {2}= help: flowsheet runs show [0-9a-f]{32}\n$/);
  const [id = ""] = /[0-9a-f]{32}/.exec(other) ?? [];
  const again = await flowsheet(["resume", id], { cwd });
  expect(again.stderr).toContain("asked of ada\n");
  expect(again.stderr).not.toContain("--answer");
  const { stdout: shown } = await flowsheet(["runs", "show", id], { cwd });
  expect(shown).not.toContain("flowsheet resume");
  const mine = await run("Pay", `manager=${ME}`, "amount=5");
  expect(mine).toMatch(/ {2}= help: flowsheet resume [0-9a-f]{32} --answer Approve=approve\n$/);
  const eyes = await run("Eyes");
  expect(eyes).toContain("waits: Sure  Sure?  not of whoever started the run\n");
  expect(eyes).not.toContain("--answer");
});

test("a file of its own widens an escalation by itself, since nobody works on it", async () => {
  const cwd = createFolder({ "pay.csv": SHEET });
  const id = await suspendInFile(cwd, "pay.csv", { manager: ME, amount: 5 }, "Pay");
  const answer = (pair: string): Promise<Ended> =>
    flowsheet(["resume", id, "--json", "--answer", pair], { cwd });
  expect((await answer("Approve=yes")).code).toBe(3);
  expect(told(await answer("Book=7"))).toMatchObject({ status: "completed", state: { booking: "7" } });
});

test("runs list finds what asks me and what I have begun, runs show tells who answered", async () => {
  const cwd = createFolder({ "flowsheet.yaml": "workflows: .\n", "pay.csv": SHEET });
  const pay = async (manager: string): Promise<string> => {
    const inputs = ["--input", `manager=${manager}`, "--input", "amount=5"];
    const ended = await flowsheet(["run", "pay.csv", "--graph", "Pay", "--json", ...inputs], { cwd });
    return String(told(ended)["run_id"]);
  };
  const [mine, other] = [await pay(ME), await pay("ada")];
  const listed = async (...more: string[]): Promise<readonly string[]> => {
    const { runs } = told(await flowsheet(["runs", "list", "--json", ...more], { cwd }));
    return (runs as { readonly run_id: string }[]).map(({ run_id: id }) => id);
  };
  expect(await listed("--assigned", "me")).toEqual([mine]);
  expect(await listed("--assigned", "ada")).toEqual([other]);
  expect(await listed("--mine")).toEqual([other, mine]);
  const { stdout: list } = await flowsheet(["runs"], { cwd });
  expect(list).toContain("Approve  Pay 5?  (approve, reject)  asked of ada\n");
  await flowsheet(["resume", mine, "--answer", "Approve=yes"], { cwd });
  const { stdout: shown } = await flowsheet(["runs", "show", mine], { cwd, columns: 200 });
  expect(shown).toMatch(new RegExp(`Approve .* ok .* by ${ME}`));
  expect(shown).toContain("Which booking?  asked of role:finance\n");
  const { stdout: visit } = await flowsheet(["runs", "show", mine, "--node", "Approve"], { cwd });
  expect(visit).toContain(`answered by ${ME}  20`);
});
