import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ASKING, authentication, HELLO, KEYS, startService } from "../http/service.js";
import { startStudio } from "./local.js";

interface Told {
  readonly id: number;
  readonly type: string;
  readonly data: { readonly [name: string]: unknown };
}

interface Reader {
  readonly told: Told[];
  /** The first event of a type that is told after those that were taken before. */
  readonly take: (type: string) => Promise<Told["data"]>;
  readonly close: () => void;
}

async function read(port: number, headers: Record<string, string>): Promise<Reader> {
  const gone = new AbortController();
  onTestFinished(() => gone.abort());
  const answer = await fetch(`http://127.0.0.1:${port}/studio/api/events`, { headers, signal: gone.signal });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  const told: Told[] = [];
  const hear = async (): Promise<void> => {
    let text = "";
    for await (const part of answer.body!.pipeThrough(new TextDecoderStream())) {
      text += part;
      const whole = text.split("\n\n");
      text = whole.pop()!;
      for (const one of whole) {
        const [, id, type, data] = /^id: (\d+)\nevent: (\w+)\ndata: (.*)$/.exec(one) ?? [];
        if (data !== undefined)
          told.push({ id: Number(id), type: type!, data: JSON.parse(data) as Told["data"] });
      }
    }
  };
  hear().catch(() => {});
  let taken = 0;
  const take = async (type: string): Promise<Told["data"]> => {
    let found = -1;
    const look = (): number => {
      found = told.findIndex((one, at) => at >= taken && one.type === type);
      return found;
    };
    await expect.poll(look, { interval: 20 }).toBeGreaterThanOrEqual(0);
    taken = found + 1;
    return told[found]!.data;
  };
  return { told, take, close: () => gone.abort() };
}

const RUN = JSON.stringify({ graph_name: "Asking", initial_state: {} });

/** The first event is told when the reader is heard: nothing before it is missed. */
async function settled(reader: Reader, touch: () => void): Promise<void> {
  touch();
  await reader.take("sheet");
}

test("tells of sheets that change, come and go, of the world around them, of runs and what waits", async () => {
  const studio = await startStudio({
    files: { "workflows/hello.csv": HELLO, "workflows/asking.csv": ASKING },
  });
  onTestFinished(() => studio.stop());
  const reader = await read(studio.port, { Authorization: `Bearer ${studio.secret.token}` });
  const changed = HELLO.replace("Hello {name}", "Good day {name}");
  // Watching begins with the first reader: the file is written until it is seen.
  let rounds = 0;
  await expect
    .poll(
      () => {
        studio.write("workflows/hello.csv", `${changed}# ${rounds++}\n`);
        return reader.told.length;
      },
      { interval: 500 },
    )
    .toBeGreaterThan(0);
  const { headers } = await studio.ask("GET /studio/api/sheets/hello.csv");
  await expect
    .poll(() => reader.told.at(-1)?.data)
    .toEqual({ name: "hello.csv", etag: headers.get("etag"), by: null });
  reader.told.splice(0);

  const fresh = await read(studio.port, { Authorization: `Bearer ${studio.secret.token}` });
  studio.write("workflows/team/other.csv", HELLO.replace("Hello,", "Other,"));
  expect(await fresh.take("sheet")).toMatchObject({ name: "team/other.csv" });
  // Its graph may be called from other sheets now.
  expect(await fresh.take("world")).toEqual({});
  rmSync(join(studio.folder, "workflows/team/other.csv"));
  await expect
    .poll(() => fresh.told.map(({ data }) => data))
    .toContainEqual({ name: "team/other.csv", etag: null, by: null });

  const type = "Content-Type: application/json";
  const { json } = await studio.ask("POST /execute", [type], RUN);
  const run_id = json?.["run_id"];
  expect(json).toMatchObject({ status: "suspended" });
  await expect.poll(() => fresh.told.map(({ data }) => data)).toContainEqual({ run_id, status: "waiting" });
  expect(await fresh.take("waits")).toEqual({ count: 1 });
  await studio.ask(`POST /runs/${String(run_id)}/resume`, [type], '{"answers":{"Ask":"why"}}');
  await expect.poll(() => fresh.told.map(({ data }) => data)).toContainEqual({ run_id, status: "completed" });
  expect(await fresh.take("waits")).toEqual({ count: 0 });
});

test("tells when the module that was looked at is compiled, or its file is another one", async () => {
  const studio = await startStudio({ files: { "workflows/hello.csv": HELLO }, compiles: true });
  onTestFinished(() => studio.stop());
  const reader = await read(studio.port, { Authorization: `Bearer ${studio.secret.token}` });
  const { json } = await studio.ask("GET /studio/api/sheets/hello.csv/graphs/Hello/module");
  expect(json).toMatchObject({ stale: true, written: false, file: "generated/hello.gen.ts" });
  const text = String(json?.["text"]);
  // Watching begins with the first reader: the file is written until that is seen.
  const writtenUntil = async (content: string, stale: boolean): Promise<void> => {
    const isTold = (): boolean => {
      studio.write("generated/hello.gen.ts", content);
      return reader.told.some(({ type, data }) => type === "generated" && data["stale"] === stale);
    };
    await expect.poll(isTold, { interval: 500 }).toBe(true);
    reader.told.splice(0);
  };
  await writtenUntil(text, false);
  await writtenUntil(`${text}// changed by hand\n`, true);
  await writtenUntil(text, false);
});

test("a run that is answered and waits again, for another answer, is told of", async () => {
  const twice =
    "graph,node,next,agent,output,prompt\nTwice,First,Second,input,one,One?\nTwice,Second,,input,two,Two?\n";
  const studio = await startStudio({ files: { "workflows/twice.csv": twice } });
  onTestFinished(() => studio.stop());
  const reader = await read(studio.port, { Authorization: `Bearer ${studio.secret.token}` });
  let rounds = 0;
  await expect
    .poll(
      () => {
        studio.write("workflows/twice.csv", `${twice}# ${rounds++}\n`);
        return reader.told.length;
      },
      { interval: 500 },
    )
    .toBeGreaterThan(0);
  const type = "Content-Type: application/json";
  const run = JSON.stringify({ graph_name: "Twice", initial_state: {} });
  const { json } = await studio.ask("POST /execute", [type], run);
  expect(await reader.take("waits")).toEqual({ count: 1 });
  reader.told.splice(0);
  await studio.ask(`POST /runs/${String(json?.["run_id"])}/resume`, [type], '{"answers":{"First":"a"}}');
  // A look between both questions tells that nothing waits.
  const waits = (): object | undefined => reader.told.findLast((one) => one.type === "waits")?.data;
  await expect.poll(waits).toEqual({ count: 1 });
});

test("a reader that comes back is told what it has missed, or to read all anew", async () => {
  const studio = await startStudio();
  onTestFinished(() => studio.stop());
  const token = { Authorization: `Bearer ${studio.secret.token}` };
  const first = await read(studio.port, token);
  await settled(first, () => studio.write("workflows/a.csv", HELLO.replace("Hello,", "A,")));
  await first.take("world");
  const [{ id }] = first.told as [Told];
  first.close();
  studio.write("workflows/b.csv", HELLO.replace("Hello,", "B,"));
  const second = await read(studio.port, { ...token, "Last-Event-ID": `${id}` });
  expect(await second.take("world")).toEqual({});
  expect(await second.take("sheet")).toMatchObject({ name: "b.csv" });
  expect(second.told.every((one) => one.id > id)).toBe(true);
  for (const unknown of ["5", "nonsense", `${id + 10_000}`]) {
    const third = await read(studio.port, { ...token, "Last-Event-ID": unknown });
    expect(await third.take("resync")).toEqual({});
    third.close();
  }
});

test("a limited key is told of its own sheets and runs alone", async () => {
  const graphs = authentication()
    .replace("user_id: executor\n", "user_id: executor\n      graphs: [Hello]\n")
    .replace("[read, write]", "[answer]");
  const service = await startService({ config: `server:\n  studio: read\n${graphs}` });
  onTestFinished(() => service.stop());
  const all = await read(service.port, { "X-API-Key": KEYS.admin });
  const limited = await read(service.port, { "X-API-Key": KEYS.executor });
  const answering = await read(service.port, { "X-API-Key": KEYS.developer });
  const execute = (body: string): Promise<Response> =>
    fetch(`${service.url}/execute`, {
      method: "POST",
      headers: { "X-API-Key": KEYS.admin, "Content-Type": "application/json" },
      body,
    });
  await settled(all, () => service.write("workflows/asking.csv", ASKING.replace("What", "Who")));
  const asked = (await (await execute(RUN)).json()) as { readonly run_id: string };
  await expect
    .poll(() => all.told.map(({ data }) => data))
    .toContainEqual({ run_id: asked.run_id, status: "waiting" });
  await execute(JSON.stringify({ graph_name: "Hello", initial_state: { name: "Ada" } }));
  service.write("workflows/hello.csv", HELLO.replace("Hello {", "Hi {"));
  await expect
    .poll(() => limited.told.map(({ data }) => data))
    .toContainEqual(expect.objectContaining({ status: "completed" }));
  expect(await answering.take("waits")).toEqual({ count: 1 });
  await limited.take("sheet");
  expect(JSON.stringify(limited.told)).not.toContain(asked.run_id);
  const sheets = limited.told.filter(({ type }) => type === "sheet").map(({ data }) => data["name"]);
  expect(new Set(sheets)).toEqual(new Set(["hello.csv"]));
  expect(answering.told.map(({ type }) => type)).not.toContain("sheet");
  const runs = answering.told.filter(({ type }) => type === "run").map(({ data }) => data["run_id"]);
  expect(new Set(runs)).toEqual(new Set([asked.run_id]));
});
