import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { testSheet } from "../../runtime/testing/index.js";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";
import { openaiAt } from "../llm/project.js";
import { modelServer, says } from "../llm/server.js";

const FLOW = `graph_name,node_name,next_node,agent_type,next_on_failure,input_fields,output_field,prompt
G,Ask,Tell,llm,Late,q:string,answer,About {q}
G,Tell,,echo,,answer,told,It says: {answer}
G,Late,,echo,,error,told,Later
`;
const given = (q: string): string => `"{""q"": ""${q}""}"`;
const HEARS = `case,given,expect_state\nhears it,${given("tea")},"{""told"": ""It says: Tea is hot.""}"\n`;

/** A project whose model was asked about tea, and is not asked again. */
async function recorded(tests: string): Promise<{ readonly cwd: string; readonly asked: () => number }> {
  const server = await modelServer(says("Tea is hot."));
  const configuration = JSON.stringify({ workflows: ".", llm: openaiAt(server.url) });
  const cwd = createFolder({ "g.csv": FLOW, "g.test.csv": tests, "flowsheet.yaml": configuration });
  const { code } = await flowsheet(["run", "g.csv", "--input", "q=tea", "--record", "c.json"], { cwd });
  expect([code, server.asked.length]).toEqual([0, 1]);
  return { cwd, asked: () => server.asked.length - 1 };
}

const REPLAY = ["test", "--replay", "c.json"];

describe("flowsheet test --replay", () => {
  test("cases hear the recorded answers, and no model is asked", async () => {
    const { cwd, asked } = await recorded(HEARS);
    const { code, stdout, stderr } = await flowsheet(REPLAY, { cwd });
    expect([code, stdout, stderr]).toEqual([0, "ok   g.test.csv: 1 case\n\n1 passed, 0 failed\n", ""]);
    expect((await flowsheet(["test"], { cwd })).stdout).toContain("asks a model, which a test must not do");
    expect(asked()).toBe(0);
  });

  test("a miss fails the case and says what changed, though a failure edge takes it", async () => {
    const takes = `case,given,expect_path\ntakes it,${given("milk")},Ask>Late\n`;
    const { cwd, asked } = await recorded(takes);
    const { code, stdout } = await flowsheet([...REPLAY, "--json"], { cwd });
    expect([code, asked()]).toEqual([1, 0]);
    expect(JSON.parse(stdout).cases[0].failures).toMatchObject([
      {
        message: 'c.json has no answer: the prompt of Ask changed: recorded "About tea", now "About milk"',
        help: "record it again with flowsheet run and --record, or mock the node",
      },
    ]);
  });

  test("a prompt that was changed is a miss; a mock goes first", async () => {
    const mocked = HEARS.replace("case,given", "case,mocks,given").replace(
      "it,",
      'it,"{""Ask"": ""Tea is hot.""}",',
    );
    const { cwd } = await recorded(HEARS);
    writeFileSync(join(cwd, "g.csv"), FLOW.replace("About {q}", "All about {q}"));
    const missed = await flowsheet(REPLAY, { cwd });
    expect(missed.stdout).toContain('recorded "About tea", now "All about tea"');
    expect(missed.code).toBe(1);
    writeFileSync(join(cwd, "g.test.csv"), mocked);
    expect((await flowsheet(REPLAY, { cwd })).code).toBe(0);
  });

  test("each case begins with the first answer", async () => {
    const { cwd } = await recorded(HEARS + HEARS.split("\n")[1]?.replace("hears it", "hears it again"));
    const cassette = JSON.parse(readFileSync(join(cwd, "c.json"), "utf8"));
    const [call] = cassette.calls;
    call.answers.push({ ...call.answers[0], text: "Tea is cold." });
    writeFileSync(join(cwd, "c.json"), JSON.stringify(cassette));
    expect((await flowsheet(REPLAY, { cwd })).stdout).toContain("2 passed, 0 failed");
  });

  test("what a custom agent asks is answered, too", async () => {
    const { cwd, asked } = await recorded(HEARS);
    writeFileSync(join(cwd, "g.csv"), FLOW.replace("llm", "own"));
    const agent = `import { defineAgent } from "flowsheet";
import { askModel } from "flowsheet/agents";
export const OwnAgent = defineAgent(({ q }, context) => askModel(context, { prompt: \`\${context.prompt}\` }));
`;
    mkdirSync(join(cwd, "agents"));
    writeFileSync(join(cwd, "agents/own.js"), agent);
    expect(await flowsheet(REPLAY, { cwd })).toMatchObject({ code: 0, stderr: "" });
    expect(asked()).toBe(0);
  });

  test.each([
    ["none.json", "cannot open none.json: there is no such file"],
    ["g.csv", "g.csv is no JSON"],
  ])("%s: exit 2, and no case is run", async (file, message) => {
    const cwd = createFolder({ "g.csv": FLOW, "g.test.csv": HEARS });
    const { code, stdout, stderr } = await flowsheet(["test", "--replay", file], { cwd });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
  });
});

test("testSheet takes a recording, too", async () => {
  const { cwd, asked } = await recorded(`${HEARS}misses it,${given("milk")},\n`);
  const runs = new Map<string, () => Promise<void>>();
  const register = (name: string, run: () => Promise<void>) => runs.set(name, run);
  testSheet(join(cwd, "g.test.csv"), { test: register, replay: join(cwd, "c.json") });
  await runs.get("G: hears it")?.();
  await expect(runs.get("G: misses it")?.()).rejects.toThrow('recorded "About tea", now "About milk"');
  expect([runs.size, asked()]).toEqual([2, 0]);
});
