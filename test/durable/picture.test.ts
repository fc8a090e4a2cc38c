import { expect, test } from "vitest";
import { dueText, heldText } from "../../cli/runs/held-text.js";
import { columnsOf } from "../../compiler/diagnostics/layout.js";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";

const SHEET = `graph_name,node_name,agent_type,next_node,next_on_failure,input_fields,output_field,prompt,context
Big,Fetch,plain,Price|Notify customers by mail and letter,,id,order,,
Big,Price,plain,Draft,,order,total,,
Big,Notify customers by mail and letter,echo,Draft,,order,told,{order} 東京タワー 東京タワー 東京タワー 東京タワー,
Big,Draft,flaky,Again,,order,draft,,"{""retry"": {""attempts"": 3, ""delay_ms"": 1}}"
Big,Again,switch,,,draft,,,"{""cases"": {""no"": ""Draft""}, ""default"": ""承認する"", ""max_visits"": 3}"
Big,承認する,input,Each,,draft,verdict,Is {draft} right?,
Big,Each,graph,Last,,items,answer,,"{""graph"": ""Item"", ""over"": ""items""}"
Big,Last,failing,,,answer,none,,
Item,Say,plain,Ask,,item,word,,
Item,Ask,input,,,word,answer,Well {word}?,
`;
const agent = (name: string, body: string): string =>
  `import { defineAgent } from "flowsheet";\nlet calls = 0;\nexport const ${name} = defineAgent(async (inputs) => { ${body} });\n`;
const FILES = {
  "flowsheet.yaml": "workflows: .\n",
  "big.csv": SHEET,
  "agents/plain.js": agent("PlainAgent", "return ['of', Object.values(inputs)[0]].join(' ');"),
  "agents/flaky.js": agent(
    "FlakyAgent",
    `if (calls++ % 2 === 0) throw new Error("down"); return calls < 4 ? "no" : "long ".repeat(60);`,
  ),
  "agents/failing.js": agent("FailingAgent", 'throw new Error("the end: a\\n second line");'),
};

/** What is the same in every run: without ids, times and the name of the user. */
const steady = (text: string): readonly string[] =>
  text
    .replace(/\b[0-9a-f]{32}\b/g, "ID")
    .replace(/flowsheet (\S+ ?\S*) [0-9a-f]{8}\b/g, "flowsheet $1 ID")
    .replace(/\d\d:\d\d:\d\d +[\d.]+ m?s/g, "TIME")
    .replace(/\d\d:\d\d:\d\d( {2,})(?=waits)/g, "TIME  ")
    .replace(/started .* UTC/, "started DAY")
    .replace(/took [\d.]+ m?s/, "took TIME")
    .replace(/by os:\S+/g, "by ME")
    .replace(/@[0-9a-f]{4}/g, "@VERS")
    .replace(/ {2,}/g, "  ")
    .trimEnd()
    .split("\n");

test("a run with splits, loops, attempts, items, waits and wide letters is told in 80 columns", async () => {
  const cwd = createFolder(FILES);
  const call = (...args: readonly string[]) => flowsheet([...args, "--quiet"], { cwd });
  const shown = async (): Promise<string> => {
    const { stdout } = await call("runs", "show", id);
    for (const line of stdout.split("\n").filter((one) => !one.includes("flowsheet ")))
      expect(columnsOf(line), line).toBeLessThanOrEqual(80);
    return stdout;
  };
  await call("run", "--graph", "Big", "--input", "id=17", "--input", 'items=["a","b"]');
  const { runs } = JSON.parse((await call("runs", "--json")).stdout) as { runs: { run_id: string }[] };
  const id = runs[0]!.run_id;
  await call("resume", id, "--answer", "承認する=yes");
  expect(steady(await shown())).toEqual([
    "ID  Big  waiting  big.csv@VERS",
    "  started DAY  by ME",
    '  1 Fetch  TIME  ok  order = "of 17"',
    '  2 branch 1 Price  TIME  ok  total = "of of 17"',
    expect.stringMatching(/^ {2}3 branch 2 Notify.*… {2}TIME {2}ok {2}told = "of 17 .*…$/),
    '  4 Draft  TIME  ok  draft = "no" (2 attempts)',
    "  5 Again  TIME  ok",
    expect.stringMatching(/^ {2}6 Draft #2 {2}TIME {2}ok {2}draft = .*… \(2 attempts\)$/),
    "  7 Again #2  TIME  ok",
    expect.stringMatching(/^ {2}8 承認する {2}TIME {2}ok {2}verdict = "y.* {2}by ME$/),
    "  9 Each  TIME  waits",
    '  10  [0]/Say  TIME  ok  word = "of a"',
    "  11  [0]/Ask  TIME  waits  Well of a?",
    '  12  [1]/Say  TIME  ok  word = "of b"',
    "  13  [1]/Ask  TIME  waits  Well of b?",
    "next  flowsheet resume ID --answer 'Each[0]/Ask=…' --answer 'Each[1]/Ask=…'",
  ]);
  await call("resume", id, "--answer", "Each[0]/Ask=x", "--answer", "Each[1]/Ask=y");
  const ended = steady(await shown());
  expect(ended.slice(10)).toEqual([
    '  9 Each  TIME  ok  answer = ["x","y"]',
    '  10  [0]/Say  TIME  ok  word = "of a"',
    '  11  [0]/Ask  TIME  ok  answer = "x"  by ME',
    '  12  [1]/Say  TIME  ok  word = "of b"',
    '  13  [1]/Ask  TIME  ok  answer = "y"  by ME',
    "  14 Last  TIME  threw  the end: a",
    expect.stringMatching(/^error {2}agent_failed at Last: the end: a/),
    expect.stringMatching(/^next {2}flowsheet runs retry ID/),
    "  flowsheet runs fork ID --from Last",
  ]);
  const followed = await call("runs", "show", id, "--follow");
  expect(steady(followed.stdout).filter((line) => /^ {2}\d+ /.test(line))).toHaveLength(14);
  const one = await call("runs", "show", id, "--node", "Each[1]/Ask");
  expect(one.stdout).toMatch(/^Each\[1\]\/Ask#1 .* ok\n {2}call 1: waits\n/);
});

test("a run whose values were erased says so", async () => {
  const cwd = createFolder({
    "flowsheet.yaml": "workflows: .\nruns: { erase: ended }\n",
    "say.csv": "graph_name,node_name,agent_type,output_field,prompt\nSay,Word,echo,word,hello\n",
  });
  const begun = await flowsheet(["run", "--graph", "Say", "--json", "--quiet"], { cwd });
  const { stdout } = await flowsheet(["runs", "show", JSON.parse(begun.stdout).run_id], { cwd });
  expect(stdout).toContain("\nstate  the values were erased when the run ended\n");
  expect(stdout).not.toContain("hello");
});

test("a queued run that is due later says why", () => {
  const due = Date.now() + 86_400_000;
  const queued = { status: "queued", due, held: null, hasBegun: false };
  expect(dueText(queued)).toMatch(/^begins 2.* UTC$/);
  expect(dueText({ ...queued, hasBegun: true })).toMatch(/^goes on 2/);
  expect(dueText({ ...queued, held: "agent charge", hasBegun: true })).toMatch(/^is tried again 2/);
  expect([dueText({ ...queued, due: 1 }), dueText({ ...queued, status: "waiting" })]).toEqual([null, null]);
  expect([heldText("agent charge"), heldText("its sheet has errors")]).toEqual([
    "agent charge is not here",
    "its sheet has errors",
  ]);
});
