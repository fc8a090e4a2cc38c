import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Generated, LanguageModels, ModelRequest } from "../../runtime/graph/contract/services.js";
import { createRecording, openCassette } from "../../runtime/llm/cassette.js";
import { formatCassette, parseCassette } from "../../runtime/llm/cassette-file.js";
import { keyOf, recordedRequest } from "../../runtime/llm/recorded-request.js";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";
import { howMany } from "../how-many.js";
import { folderOf, KEY, openaiAt, type Row, sheetOf } from "./project.js";
import { closedPort, modelServer, type Reply, says, status } from "./server.js";

const ASK: Row = { node: "Ask", inputs: "q", outputs: "answer", prompt: "About {q}" };
const run = (cwd: string, ...more: readonly string[]) =>
  flowsheet(["run", "t.csv", "--input", "q=tea", ...more], { cwd });
const RECORD = ["--record", "calls.json"];
const REPLAY = ["--replay", "calls.json"];
const cassetteIn = (cwd: string): string => readFileSync(join(cwd, "calls.json"), "utf8");

/** The server is gone: whatever asks it fails. */
async function takeServerAway(cwd: string): Promise<void> {
  const llm = openaiAt(await closedPort());
  writeFileSync(join(cwd, "flowsheet.yaml"), JSON.stringify({ workflows: ".", llm }));
}

/** Says what was asked last, in capitals. */
const echoes: Reply = (response, asked) =>
  says(String(asked.body.messages.at(-1).content).toUpperCase())(response, asked);

describe("flowsheet run --record and --replay", () => {
  test("a replay without the server and without its key gives the same state", async () => {
    const rows: readonly Row[] = [
      { ...ASK, next: "Sort" },
      { node: "Sort", inputs: "answer", outputs: "kind:'tea'/'other'", prompt: "{answer}", next: "More" },
      { ...ASK, node: "More", outputs: "more", prompt: "Two\nlines on {q}", context: { memory_key: "m" } },
    ];
    const server = await modelServer(echoes, says("tea"), echoes);
    const cwd = folderOf({ rows, llm: openaiAt(server.url) });
    const recorded = await run(cwd, ...RECORD);
    expect([recorded.code, JSON.parse(recorded.stdout)]).toEqual([
      0,
      { q: "tea", answer: "ABOUT TEA", kind: "tea", more: "TWO\nLINES ON TEA" },
    ]);
    expect(recorded.stderr).toContain("recorded 3 calls of models in calls.json");
    writeFileSync(join(cwd, "flowsheet.yaml"), "workflows: .\n");
    const replayed = await run(cwd, ...REPLAY, "--trace", "--json");
    const { state, trace } = JSON.parse(replayed.stdout);
    expect([replayed.code, state]).toEqual([0, JSON.parse(recorded.stdout)]);
    expect(trace[0].usage).toEqual({ input_tokens: 11, output_tokens: 7 });
    expect(server.asked).toHaveLength(3);
  });

  test("the file holds the request, who asked, and several lines as lines; a second recording writes the same", async () => {
    const server = await modelServer(says("Hot.\nAnd green."));
    const row = {
      ...ASK,
      prompt: "About {q}\nin two lines",
      context: { temperature: 0, system: "Be short." },
    };
    const cwd = folderOf({ rows: [row], llm: openaiAt(server.url) });
    await run(cwd, ...RECORD);
    const first = cassetteIn(cwd);
    expect(JSON.parse(first)).toEqual({
      cassette: 1,
      calls: [
        {
          asked_by: ["T/Ask"],
          key: expect.stringMatching(/^[0-9a-f]{16}$/),
          request: { temperature: 0, system: "Be short.", prompt: ["About tea", "in two lines"] },
          answers: [
            {
              text: ["Hot.", "And green."],
              usage: { input_tokens: 11, output_tokens: 7 },
              provider: "openai",
              model: "m1",
            },
          ],
        },
      ],
    });
    await run(cwd, ...RECORD);
    expect(cassetteIn(cwd)).toBe(first);
    expect(readdirSync(cwd).sort()).toEqual([".flowsheet", "calls.json", "flowsheet.yaml", "t.csv"]);
  });

  test("another recording keeps what it did not ask, and replaces what it asked", async () => {
    const server = await modelServer(says("one"), says("two"), says("three"));
    const cwd = folderOf({ rows: [ASK], llm: openaiAt(server.url) });
    for (const q of ["tea", "cake", "tea"])
      await flowsheet(["run", "t.csv", "--input", `q=${q}`, ...RECORD], { cwd });
    const { calls } = JSON.parse(cassetteIn(cwd));
    const told = calls.map(({ request, answers }: { request: object; answers: { text: string }[] }) => [
      request,
      answers.map(({ text }) => text),
    ]);
    expect(told).toEqual([
      [{ prompt: "About cake" }, ["two"]],
      [{ prompt: "About tea" }, ["three"]],
    ]);
  });

  test("a changed prompt fails its node and says what changed", async () => {
    const server = await modelServer(says("Hot."));
    const cwd = folderOf({ rows: [ASK], llm: openaiAt(server.url) });
    await run(cwd, ...RECORD);
    writeFileSync(join(cwd, "t.csv"), sheetOf({ ...ASK, prompt: "All about {q}" }));
    const { code, stderr, stdout } = await run(cwd, ...REPLAY);
    expect([code, JSON.parse(stdout)]).toEqual([1, { q: "tea" }]);
    expect(stderr).toContain(
      'calls.json has no answer: the prompt of Ask changed: recorded "About tea", now "All about tea"; record it again with --record calls.json',
    );
    expect(stderr).toContain("graph T · node Ask");
    expect(server.asked).toHaveLength(1);
  });

  test("each part of a request that changed is named", async () => {
    const server = await modelServer(says("Hot."));
    const cwd = folderOf({ rows: [ASK], llm: openaiAt(server.url) });
    await run(cwd, ...RECORD);
    const context = { model: "m2", temperature: 0.5, system: "Be kind." };
    writeFileSync(join(cwd, "t.csv"), sheetOf({ ...ASK, context, outputs: "answer:'Hot.'/'Cold.'" }));
    const { stderr } = await run(cwd, ...REPLAY);
    expect(stderr).toContain('the model of Ask changed: recorded none, now "m2"');
    expect(stderr).toContain('the temperature of Ask changed: recorded none, now "0.5"');
    expect(stderr).toContain('the system text of Ask changed: recorded none, now "Be kind."; and 1 more');
  });

  test("a handler does not hide a miss: exit 1", async () => {
    const server = await modelServer(says("Hot."));
    const handler: Row = { node: "Sorry", agent: "echo", outputs: "note", prompt: "Sorry: {error}" };
    const cwd = folderOf({ rows: [{ ...ASK, failure: "Sorry" }, handler], llm: openaiAt(server.url) });
    await run(cwd, ...RECORD);
    const missed = await flowsheet(["run", "t.csv", "--input", "q=milk", ...REPLAY], { cwd });
    expect(missed.code).toBe(1);
    expect(JSON.parse(missed.stdout).note).toContain('recorded "About tea", now "About milk"');
    expect(missed.stderr).toContain("error: 1 call of a model had no answer in calls.json");
  });

  test("a provider that failed fails again in the replay", async () => {
    const server = await modelServer(status(400, { error: { message: "too long" } }));
    const handler: Row = { node: "Sorry", agent: "echo", outputs: "note", prompt: "{error}" };
    const cwd = folderOf({ rows: [{ ...ASK, failure: "Sorry" }, handler], llm: openaiAt(server.url) });
    const recorded = await run(cwd, ...RECORD);
    expect(JSON.parse(recorded.stdout).note).toContain("too long");
    await takeServerAway(cwd);
    const replayed = await run(cwd, ...REPLAY);
    expect([replayed.code, replayed.stdout]).toEqual([recorded.code, recorded.stdout]);
  });

  test("three calls at the same time: each gets its own answer", async () => {
    const server = await modelServer((response, asked) => {
      // The last one asked is the first one answered.
      const wait = 60 - 20 * Number(/\d/.exec(asked.body.messages[0].content)?.[0]);
      setTimeout(() => echoes(response, asked), wait);
    });
    const branches = [1, 2, 3].map((n) => ({
      ...ASK,
      node: `B${n}`,
      outputs: `b${n}`,
      prompt: `${n} {q}`,
      next: "Join",
    }));
    const join3: Row = {
      node: "Join",
      agent: "echo",
      inputs: "b1|b2|b3",
      outputs: "all",
      prompt: "{b1}{b2}{b3}",
    };
    const start: Row = { node: "Start", agent: "echo", next: "B1|B2|B3", outputs: "s", prompt: "go" };
    const cwd = folderOf({ rows: [start, ...branches, join3], llm: openaiAt(server.url) });
    const recorded = await run(cwd, ...RECORD);
    expect(JSON.parse(recorded.stdout).all).toBe("1 TEA2 TEA3 TEA");
    const file = cassetteIn(cwd);
    await takeServerAway(cwd);
    const replayed = await run(cwd, ...REPLAY);
    expect([replayed.code, replayed.stdout]).toEqual([0, recorded.stdout]);
    const names = JSON.parse(file).calls.map(({ asked_by: [name] }: { asked_by: string[] }) => name);
    expect(names).toEqual(["T/B1", "T/B2", "T/B3"]);
  });

  test("secrets are not recorded, and a replay matches with the secret, with another one, and without any", async () => {
    const server = await modelServer(echoes, says(`I saw ${KEY}`));
    const rows = [ASK, { ...ASK, node: "Last", outputs: "last", prompt: "The key is {q}, is it?" }];
    const cwd = folderOf({
      rows: [{ ...rows[0], next: "Last" } as Row, rows[1] as Row],
      llm: openaiAt(server.url),
    });
    const given = (q: string) => ["run", "t.csv", "--input", `q=${q}`];
    const recorded = await flowsheet([...given(KEY), ...RECORD], { cwd });
    expect(recorded.code).toBe(0);
    expect(cassetteIn(cwd)).toContain("About [redacted]");
    expect(cassetteIn(cwd)).toContain("I saw [redacted]");
    for (const form of [KEY, encodeURIComponent(KEY), Buffer.from(KEY).toString("base64")])
      expect(cassetteIn(cwd)).not.toContain(form);
    expect((await flowsheet([...given(KEY), ...REPLAY], { cwd })).code).toBe(0);
    writeFileSync(join(cwd, "flowsheet.yaml"), "workflows: .\n");
    const without = await flowsheet([...given("another-key"), ...REPLAY], { cwd });
    expect([without.code, JSON.parse(without.stdout).last]).toEqual([0, "I saw [redacted]"]);
    const env = { MY_API_KEY: "another-key" };
    expect((await flowsheet([...given("another-key"), ...REPLAY], { cwd, env })).code).toBe(0);
  });

  test("a miss tells no secret", async () => {
    const server = await modelServer(echoes);
    const cwd = folderOf({ rows: [ASK], llm: openaiAt(server.url) });
    await run(cwd, ...RECORD);
    const { stdout, stderr } = await flowsheet(["run", "t.csv", "--input", `q=${KEY}`, "--json", ...REPLAY], {
      cwd,
    });
    expect(JSON.parse(stdout).error.message).toContain('now "About [redacted]"');
    expect(JSON.parse(stdout).error.message + stderr).not.toContain(KEY.slice(0, 10));
  });

  test("recorded calls that nobody made are told with --verbose", async () => {
    const server = await modelServer(echoes);
    const cwd = folderOf({ rows: [ASK], llm: openaiAt(server.url) });
    await run(cwd, ...RECORD);
    await flowsheet(["run", "t.csv", "--input", "q=milk", ...RECORD], { cwd });
    expect((await run(cwd, ...REPLAY)).stderr).not.toContain("not asked");
    expect((await run(cwd, ...REPLAY, "--verbose")).stderr).toContain(
      'calls.json: not asked: T/Ask "About milk"',
    );
  });

  test.each([
    [["--replay", "none.json"], "cannot open none.json: there is no such file"],
    [["--replay", "t.csv"], "t.csv is no JSON"],
    [["--replay", "flowsheet.yaml"], 'flowsheet.yaml is no cassette: it holds no list "calls"'],
    [["--record", "flowsheet.yaml"], 'flowsheet.yaml is no cassette: it holds no list "calls"'],
    [["--record", "none/calls.json"], "cannot write none/calls.json"],
    [["--record", "a.json", "--replay", "a.json"], "--record and --replay cannot go together"],
  ])("%j: exit 2, and no model is asked", async (options, message) => {
    const server = await modelServer(echoes);
    const cwd = folderOf({ rows: [ASK], llm: openaiAt(server.url) });
    const { code, stdout, stderr } = await run(cwd, ...options);
    expect([code, stdout, server.asked.length]).toEqual([2, "", 0]);
    expect(stderr).toContain(message);
  });
});

const call = { signal: new AbortController().signal, log: { warn: () => {} } };
const plain = { redact: (text: string) => text };
const generated = (text: string): Generated => ({
  text,
  usage: { input_tokens: 1, output_tokens: 1 },
  provider: "p",
  model: "m",
});

describe("createRecording", () => {
  test("several identical requests are answered in order, the last one again; each replay begins anew", async () => {
    const file = join(createFolder(), "c.json");
    const answers = ["one", "two", "three"];
    const models: LanguageModels = { generate: async () => generated(answers.shift() ?? "") };
    const recording = createRecording(file, models, plain);
    for (let i = 0; i < 3; i++) await recording.models.generate({ prompt: "again" }, call);
    recording.save();
    const cassette = openCassette(file, plain);
    for (let round = 0; round < 2; round++) {
      const { models: replayed } = cassette.replay();
      const told: string[] = [];
      for (let i = 0; i < 5; i++) told.push((await replayed.generate({ prompt: "again" }, call)).text);
      expect(told).toEqual(["one", "two", "three", "three", "three"]);
    }
  });

  test("answers stand in the order of asking, not of answering; a cancelled call is not kept", async () => {
    const file = join(createFolder(), "c.json");
    const waits = [40, 1, 1];
    const models: LanguageModels = {
      generate: async (_, { signal }) => {
        const wait = waits.shift() ?? 0;
        await new Promise((resolve) => setTimeout(resolve, wait));
        signal.throwIfAborted();
        return generated(`after ${wait}`);
      },
    };
    const recording = createRecording(file, models, plain);
    const controller = new AbortController();
    const calls = [
      recording.models.generate({ prompt: "x" }, call),
      recording.models.generate({ prompt: "x" }, { ...call, signal: controller.signal }),
      recording.models.generate({ prompt: "x" }, call),
    ];
    controller.abort(new Error("enough"));
    await Promise.allSettled(calls);
    recording.save();
    const { models: replayed } = openCassette(file, plain).replay();
    const first = await replayed.generate({ prompt: "x" }, call);
    const second = await replayed.generate({ prompt: "x" }, call);
    expect([first.text, second.text, recording.count()]).toEqual(["after 40", "after 1", 2]);
  });

  test("what is written is read again: any texts, any parts", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "\n", "\r", '"', "{", "é", "🙂", "\u2028", " ") });
    const request: fc.Arbitrary<ModelRequest> = fc.record(
      {
        prompt: text,
        system: text,
        provider: text,
        model: text,
        temperature: fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }),
        history: fc.array(fc.record({ role: fc.constantFrom("user", "assistant"), text })),
        choices: fc.array(text),
        schema: fc.constant({ type: "object", properties: { b: {}, a: {} } }),
        fallback: fc.array(text),
      },
      { requiredKeys: ["prompt"] },
    );
    fc.assert(
      fc.property(request, text, (asked, said) => {
        const kept = recordedRequest(asked);
        const one = { askedBy: ["G/N"], request: kept, answers: [generated(said), { failure: said }] };
        const written = formatCassette(new Map([[keyOf(kept), one]]));
        const [[key, read] = []] = [...parseCassette(written, "c")];
        expect(key).toBe(keyOf(kept));
        expect(read?.answers).toEqual(one.answers);
        expect(formatCassette(parseCassette(written, "c"))).toBe(written);
      }),
      { numRuns: howMany(200, 50) },
    );
  });

  test("a request that was mended by hand counts as it stands", async () => {
    const file = join(createFolder(), "c.json");
    const recording = createRecording(file, { generate: async () => generated("yes") }, plain);
    await recording.models.generate({ prompt: "old words" }, call);
    recording.save();
    writeFileSync(file, readFileSync(file, "utf8").replace("old words", "new words"));
    const { models } = openCassette(file, plain).replay();
    expect((await models.generate({ prompt: "new words" }, call)).text).toBe("yes");
    await expect(models.generate({ prompt: "old words" }, call)).rejects.toThrow(/recorded "new words"/);
  });

  test("of long texts the place is shown where they part", async () => {
    const file = join(createFolder(), "c.json");
    const recording = createRecording(file, { generate: async () => generated("yes") }, plain);
    const long = "word ".repeat(100);
    for (const prompt of ["something else", `${long}apple ${long}`])
      await recording.models.generate({ prompt }, call);
    recording.save();
    const { models } = openCassette(file, plain).replay();
    const message = await models.generate({ prompt: `${long}pear ${long}` }, call).catch(String);
    expect(message).toMatch(
      /recorded "…(?:ord )?(?:word )+apple (?:word )+wo?r?d?…", now "…(?:ord )?(?:word )+pear /,
    );
    expect(String(message).length).toBeLessThan(400);
  });
});
