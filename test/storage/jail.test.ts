import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Storage } from "../../runtime/graph/contract/services.js";
import { createStorage } from "../../runtime/storage/storage.js";
import { createFolder, snapshot } from "../cli/folder.js";
import { howMany } from "../how-many.js";
import { createProject } from "./project.js";

const SECRET = "SECRET";

/** A data folder beside a folder with a secret. */
function createScene() {
  const root = createFolder({
    "data/in.txt": "inside",
    "data/sub/in.txt": "inside",
    "outside/in.txt": SECRET,
    "outside/secret.txt": SECRET,
  });
  const data = join(root, "data");
  return { root, data, outside: join(root, "outside"), storage: createStorage(data) };
}

const read = (storage: Storage, file: string) => storage.read({ format: "text", file });
const write = (storage: Storage, file: string) =>
  storage.write({ format: "text", file, mode: "write", value: "written" });

/** What a call answers: its value, or the message of its error. */
const answer = (call: Promise<unknown>): Promise<unknown> => call.catch((error: Error) => error.message);

describe("names", () => {
  test.each([
    ["P01", "../outside/secret.txt", "the path must not have . or .. in it"],
    ["P01", "sub/../../outside/secret.txt", "the path must not have . or .. in it"],
    ["P02", "/etc/passwd", "the path must begin in the data folder, without a /"],
    ["P02", "C:\\secret.txt", "it has a character"],
    ["P02", "file:///etc/passwd", "it has a character"],
    ["P03", "a//b.txt", "a folder or a file has no name"],
    ["P04", "..\\outside\\secret.txt", "it has a character"],
    ["P05", ".", "the path must not have . or .. in it"],
    ["P05", "./in.txt", "the path must not have . or .. in it"],
    ["P07", `${"a".repeat(256)}.txt`, "a name is too long"],
    ["P07", `${"a/".repeat(600)}b`, "it is too long"],
    ["P08", "CON", "CON is the name of a device"],
    ["P08", "sub/nul.txt", "nul.txt is the name of a device"],
    ["P09", "in.txt\0.json", "it has a character"],
    ["P10", "-rf", "a name must not begin with -"],
    ["P17", "in.txt/", "a folder or a file has no name"],
    ["P18", "in\n.txt", "it has a character"],
    ["hidden", ".env", "hidden files are not for agents"],
    ["hidden", ".locks/x", "hidden files are not for agents"],
    ["a dot at the end", "in.txt.", "a name must not end with a dot or a space"],
    ["half a character", "\ud800.txt", "it has a character"],
    ["a name that reads backwards", "a\u202etxt.exe", "it has a character"],
  ])("%s: %j is refused, whether it is read, written or deleted", async (_, file, why) => {
    const { run, root } = createProject({ "in.txt": "inside" });
    const before = snapshot(root);
    for (const settings of [{ collection: file }, { collection: file, mode: "delete" }]) {
      for (const agent of ["file_reader", "file_writer", "json_reader", "csv_writer"]) {
        if (agent.endsWith("reader") && "mode" in settings) continue;
        const step = { agent, settings, inputs: "v", output: "out" };
        const { error } = await run({ v: agent === "csv_writer" ? { a: 1 } : "x" }, step);
        expect(error).toMatchObject({ code: "agent_failed" });
        expect(error?.message).toContain(`that is no file of the data folder: ${why}`);
        expect(error?.message).not.toContain(root);
      }
    }
    expect(snapshot(root)).toEqual(before);
  });

  test("P06: an empty name is no file", async () => {
    const { out } = createProject();
    const message = 'no file is named: the prompt names it, or the setting "collection"';
    expect(await out({ agent: "file_writer", settings: { collection: " " }, inputs: "v" }, { v: "x" })).toBe(
      message,
    );
  });

  test("I07: what a model or a caller says is a name inside the data folder or an error", async () => {
    const { out } = createProject({ "a.txt": "A" });
    const step = { agent: "file_reader", inputs: "name", prompt: "{name}" };
    expect(await out(step, { name: "a.txt" })).toBe("A");
    expect(await out(step, { name: "../flowsheet.yaml" })).toContain("must not have . or ..");
    expect(await out(step, { name: "{name}" })).toBe("{name}: there is no such file in the data folder");
  });

  test("ordinary names of all languages are fine", async () => {
    const { storage } = createScene();
    for (const file of ["Größe 2024 (1).txt", "客户/列表.txt", "a.b-c_d/e+f.txt", "read me"]) {
      await write(storage, file);
      expect(await read(storage, file)).toBe("written");
    }
  });
});

describe("links and special files", () => {
  const OUT = "it leads out of the data folder";

  test("P13: a folder that is a link out is refused, a link inside is followed", async () => {
    const { storage, data, outside, root } = createScene();
    symlinkSync(outside, join(data, "out"));
    symlinkSync("sub", join(data, "in"));
    symlinkSync("../in.txt", join(data, "sub", "up.txt"));
    const before = snapshot(outside);
    expect(await answer(read(storage, "out/secret.txt"))).toBe(`out/secret.txt: ${OUT}`);
    expect(await answer(write(storage, "out/secret.txt"))).toBe(`out/secret.txt: ${OUT}`);
    expect(await answer(write(storage, "out/deep/new.txt"))).toBe(`out/deep/new.txt: ${OUT}`);
    expect(await answer(storage.write({ format: "text", file: "out/in.txt", mode: "delete" }))).toContain(
      OUT,
    );
    expect(snapshot(outside)).toEqual(before);
    expect(await read(storage, "in/in.txt")).toBe("inside");
    expect(await read(storage, "sub/up.txt")).toBe("inside");
    await write(storage, "sub/up.txt");
    expect(readFileSync(join(data, "in.txt"), "utf8")).toBe("written");
    expect(root).not.toBe("");
  });

  test.each([
    ["out", (outside: string) => join(outside, "secret.txt"), OUT],
    [
      "out, to what is not there",
      (outside: string) => join(outside, "new.txt"),
      "it is a link that leads nowhere",
    ],
    ["to itself", () => "link.txt", "its links lead in a circle"],
    ["to a hidden file", () => ".hidden", "it is a link to a file that is not for agents"],
    ["to a device", () => "/dev/zero", OUT],
  ])("P13: a link %s is refused", async (_, target, why) => {
    const { storage, data, outside } = createScene();
    writeFileSync(join(data, ".hidden"), SECRET);
    symlinkSync(target(outside), join(data, "link.txt"));
    const before = snapshot(outside);
    expect(await answer(read(storage, "link.txt"))).toBe(`link.txt: ${why}`);
    expect(await answer(write(storage, "link.txt"))).toBe(`link.txt: ${why}`);
    expect(snapshot(outside)).toEqual(before);
  });

  test("the data folder itself may be a link: that is the owner's choice", async () => {
    const { root, data } = createScene();
    symlinkSync(data, join(root, "link"));
    expect(await read(createStorage(join(root, "link")), "sub/in.txt")).toBe("inside");
  });

  test("P21: a hard link is refused", async () => {
    const { storage, data, outside } = createScene();
    linkSync(join(outside, "secret.txt"), join(data, "hard.txt"));
    const why = "hard.txt: it has a second name (a hard link), which may be anywhere";
    expect(await answer(read(storage, "hard.txt"))).toBe(why);
    expect(await answer(write(storage, "hard.txt"))).toBe(why);
    expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe(SECRET);
  });

  test("P22: a pipe and a socket are refused at once", async () => {
    const { storage, data } = createScene();
    execFileSync("mkfifo", [join(data, "pipe.txt")]);
    const server = createServer().listen(join(data, "socket.txt"));
    onTestFinished(() => void server.close());
    await new Promise((ready) => server.once("listening", ready));
    for (const file of ["pipe.txt", "socket.txt"]) {
      expect(await answer(read(storage, file))).toBe(`${file}: it is no regular file`);
      expect(await answer(write(storage, file))).toBe(`${file}: it is no regular file`);
    }
  });
});

/** Swaps a folder and a file for links out, and back, until it is told to stop. */
const SWAP = `
const { renameSync, symlinkSync, unlinkSync } = require("node:fs");
const { workerData: { data, outside, flag } } = require("node:worker_threads");
const state = new Int32Array(flag);
const attempt = (step) => { try { step(); } catch {} };
while (Atomics.load(state, 0) === 0 || Atomics.load(state, 1) < 1000) {
  attempt(() => renameSync(data + "/sub", data + "/.aside"));
  attempt(() => symlinkSync(outside, data + "/sub"));
  attempt(() => symlinkSync(outside + "/secret.txt", data + "/.link"));
  attempt(() => renameSync(data + "/in.txt", data + "/.in"));
  attempt(() => renameSync(data + "/.link", data + "/in.txt"));
  Atomics.wait(state, 2, 0, 0.2);
  attempt(() => unlinkSync(data + "/sub"));
  attempt(() => renameSync(data + "/.aside", data + "/sub"));
  attempt(() => renameSync(data + "/.in", data + "/in.txt"));
  Atomics.wait(state, 2, 0, 0.2);
  Atomics.add(state, 1, 1);
}
`;

test("P14: nothing outside is read or written while links are swapped a thousand times", async () => {
  const { storage, data, outside } = createScene();
  const flag = new SharedArrayBuffer(12);
  const state = new Int32Array(flag);
  const before = snapshot(outside);
  const worker = new Worker(SWAP, { eval: true, workerData: { data, outside, flag } });
  const ended = new Promise((done) => worker.once("exit", done));
  const seen = new Map<unknown, number>();
  const note = (one: unknown): void => void seen.set(one, (seen.get(one) ?? 0) + 1);
  for (let i = 0; i < 1000 || Atomics.load(state, 1) < 1000; i++) {
    note(await answer(read(storage, "sub/in.txt")));
    note(await answer(read(storage, "in.txt")));
    if (i % 10 !== 0) continue;
    const file = i % 20 === 0 ? "sub/in.txt" : "in.txt";
    await answer(storage.write({ format: "text", file, mode: "update", value: "inside" }));
  }
  Atomics.store(state, 0, 1);
  await ended;
  expect([...seen.keys()]).not.toContain(SECRET);
  expect(seen.get("inside")).toBeGreaterThan(50);
  expect(snapshot(outside)).toEqual(before);
});

test("P19: a folder with thousands of files is no hindrance", async () => {
  const { storage, data } = createScene();
  for (let i = 0; i < howMany(10_000, 2_000); i++) writeFileSync(join(data, `f${i}.txt`), "");
  await write(storage, "new.txt");
  expect(await read(storage, "new.txt")).toBe("written");
  expect(readdirSync(data).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test("P20: a file that is replaced while it is read gives one version of it", async () => {
  const { storage, data } = createScene();
  const rows = (version: string) =>
    `id,v\n${Array.from({ length: 60_000 }, (_, i) => `${i},${version}\n`).join("")}`;
  writeFileSync(join(data, "big.csv"), rows("a"));
  const query = { filter: { v: "*" }, sort: "id", order: "desc", limit: 3 } as const;
  for (const version of ["b", "c", "d"]) {
    const all = storage.read({ format: "csv", file: "big.csv", query: { filter: { id: "*" } } });
    const replaced = storage.write({ format: "text", file: "big.csv", mode: "write", value: rows(version) });
    const versions = new Set(((await all) as { v: string }[]).map(({ v }) => v));
    await replaced;
    expect(versions.size).toBe(1);
    const after = (await storage.read({ format: "csv", file: "big.csv", query })) as { v: string }[];
    expect(after.map(({ v }) => v)).toEqual([version, version, version]);
  }
});

test("a data folder that is not there has no files; the first write makes it", async () => {
  const root = createFolder();
  const storage = createStorage(join(root, "new/data"));
  expect(await answer(read(storage, "a.txt"))).toBe("a.txt: there is no such file in the data folder");
  expect(await storage.write({ format: "text", file: "a.txt", mode: "delete" })).toMatchObject({ count: 0 });
  expect(readdirSync(root)).toEqual([]);
  await write(storage, "a.txt");
  expect(await read(storage, "a.txt")).toBe("written");
  mkdirSync(join(root, "file"));
});
