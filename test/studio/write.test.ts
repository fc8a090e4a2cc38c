import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { writeSheet } from "../../runtime/studio/write-sheet.js";
import { createFolder } from "../cli/folder.js";
import { howMany } from "../how-many.js";
import { type RawAnswer, request } from "../http/raw.js";
import { authentication, HELLO, KEYS, startService } from "../http/service.js";
import { bookOf, rowsOf } from "../workbook/made.js";
import { startStudio, type TestStudio } from "./local.js";

const told = ({ status, json }: RawAnswer): string => `${status} ${json?.["code"] ?? "ok"}`;
const tagOf = (text: string | Buffer): string => `"${createHash("sha256").update(text).digest("base64url")}"`;
const JSON_TYPE = "Content-Type: application/json";
const CSV = "Content-Type: text/csv";
const PATH = "/studio/api/sheets/hello.csv";

let studio: TestStudio;
beforeAll(async () => {
  studio = await startStudio();
});
afterAll(() => studio.stop());
beforeEach(() => studio.write("workflows/hello.csv", HELLO));

const file = (name = "hello.csv"): string => join(studio.folder, "workflows", name);
const held = (name = "hello.csv"): string => readFileSync(file(name), "utf8");
const set = (from: string, to: string): object => ({
  ...{ op: "set", graph: "Hello", node: "Greet", column: "prompt", from, to },
});
const patch = (edits: readonly object[], headers: readonly string[] = [], path = PATH): Promise<RawAnswer> =>
  studio.ask(`PATCH ${path}`, [JSON_TYPE, ...headers], JSON.stringify({ edits }));
const put = (text: string | Buffer, headers: readonly string[], path = PATH): Promise<RawAnswer> =>
  studio.ask(`PUT ${path}`, [CSV, ...headers], text);

describe("PATCH", () => {
  test("writes what applies, and names what others have changed", async () => {
    chmodSync(file(), 0o640);
    const answer = await patch([set("Hello {name}", "Hi {name}"), set("old", "x")]);
    const expected = HELLO.replace("Hello {name}", "Hi {name}");
    expect(answer.json).toEqual({
      etag: tagOf(expected),
      applied: 1,
      conflicts: [{ edit: 1, now: "Hi {name}" }],
    });
    expect(answer.headers.get("etag")).toBe(tagOf(expected));
    expect(held()).toBe(expected);
    expect(statSync(file()).mode & 0o777).toBe(0o640);
    expect(readdirSync(join(studio.folder, "workflows"))).toEqual(["hello.csv"]);
  });

  test("answers 200 when all are conflicts, and leaves the file alone", async () => {
    const before = statSync(file()).mtimeMs;
    const answer = await patch([set("old", "x")]);
    expect([answer.status, answer.json]).toEqual([
      200,
      { etag: tagOf(HELLO), applied: 0, conflicts: [{ edit: 0, now: "Hello {name}" }] },
    ]);
    expect(statSync(file()).mtimeMs).toBe(before);
  });

  test("with If-Match only the text that was seen is changed", async () => {
    const stale = await patch([set("Hello {name}", "x")], ['If-Match: "old"']);
    expect([told(stale), stale.json?.["etag"], stale.headers.get("etag")]).toEqual([
      "412 sheet_changed",
      tagOf(HELLO),
      tagOf(HELLO),
    ]);
    expect(held()).toBe(HELLO);
    expect(told(await patch([set("Hello {name}", "x")], [`If-Match: ${tagOf(HELLO)}`]))).toBe("200 ok");
  });

  test.each<[string, readonly object[], string]>([
    ["an unknown operation", [{ op: "drop" }], "422 input_invalid"],
    [
      "no old value",
      [{ op: "set", graph: "Hello", node: "Greet", column: "prompt", to: "x" }],
      "422 input_invalid",
    ],
    ["an unknown column", [{ ...set("", "x"), column: "nothing" }], "422 edit_invalid"],
    ["a row that becomes a comment", [{ ...set("Hello", "# x"), column: "graph_name" }], "422 edit_invalid"],
    [
      "a reserved name",
      [{ op: "insert", after: null, cells: JSON.parse('{"__proto__": "x"}') as object }],
      "422 input_invalid",
    ],
    ["too many edits", Array.from({ length: 1_001 }, () => set("a", "b")), "422 input_invalid"],
  ])("%s is refused, and nothing is written", async (_what, edits, expected) => {
    const good = set("Hello {name}", "written");
    const all = edits.length > 1_000 ? edits : [good, ...edits];
    expect(told(await patch(all))).toBe(expected);
    expect(held()).toBe(HELLO);
  });

  test("says which edit no sheet could take", async () => {
    const { json } = await patch([set("Hello {name}", "x"), { ...set("", "x"), column: "nothing" }]);
    expect(json).toMatchObject({
      errors: [{ pointer: "/edits/1", message: 'the sheet has no column "nothing"' }],
    });
  });

  test("takes JSON of at most 1 MB", async () => {
    expect(told(await studio.ask(`PATCH ${PATH}`, ["Content-Type: text/plain"], "{}"))).toBe(
      "415 media_type_unsupported",
    );
    expect(told(await patch([set("Hello {name}", "x".repeat(1_100_000))]))).toBe("413 body_too_large");
    expect(held()).toBe(HELLO);
  });

  test("many writers at the same time lose nothing", async () => {
    const rows = Array.from({ length: 20 }, (_, i) => `Hello,N${i},,echo,,,p${i}\n`).join("");
    studio.write("workflows/hello.csv", HELLO + rows);
    const edit = (i: number): object => ({ ...set(`p${i}`, `new ${i}`), node: `N${i}` });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => patch([edit(i)])));
    expect(answers.map(({ json }) => json?.["applied"])).toEqual(new Array(20).fill(1));
    expect(held()).toBe((HELLO + rows).replaceAll(/,p(\d+)\n/g, ",new $1\n"));
  });

  test("a line of the log tells who wrote which sheet, and no text of it", async () => {
    await patch([set("Hello {name}", "a canary")], ["X-Request-Id: audit-1"]);
    const [line] = studio
      .log()
      .split("\n")
      .filter((one) => one.includes("audit-1") && one.includes("a sheet was written"));
    expect(line).toMatch(/os:test/);
    expect(line).toMatch(/hello\.csv/);
    expect(studio.log()).not.toContain("canary");
  });
});

test("what a program writes that knows no lock is not lost either", async () => {
  const [other, last] = [`${HELLO}# other\n`, "# mine\n"];
  let rounds = 0;
  const etag = await writeSheet({
    path: file(),
    change: (before) => {
      if (rounds++ === 0) studio.write("workflows/hello.csv", other);
      return Buffer.from(`${before}${last}`);
    },
    writes: () => {},
  });
  expect([rounds, held(), etag]).toEqual([2, other + last, tagOf(other + last)]);
});

describe("PUT", () => {
  test("replaces the text that was seen", async () => {
    const text = `${HELLO}# more\n`;
    expect(told(await put(text, []))).toBe("428 condition_missing");
    expect(told(await put(text, ['If-Match: "old"']))).toBe("412 sheet_changed");
    expect(held()).toBe(HELLO);
    const answer = await put(text, [`If-Match: ${tagOf(HELLO)}`]);
    expect([answer.status, answer.json]).toEqual([200, { etag: tagOf(text) }]);
    expect(held()).toBe(text);
    expect(told(await studio.ask(`PUT ${PATH}`, [JSON_TYPE, "If-Match: *"], "{}"))).toBe(
      "415 media_type_unsupported",
    );
  });

  test("makes a new sheet, and replaces none with it", async () => {
    mkdirSync(file("team"), { recursive: true });
    const path = "/studio/api/sheets/team/new%20one.csv";
    expect(told(await put(HELLO, [`If-Match: ${tagOf(HELLO)}`], path))).toBe("412 sheet_changed");
    expect((await put(HELLO, ["If-None-Match: *"], path)).status).toBe(201);
    expect(held("team/new one.csv")).toBe(HELLO);
    expect(told(await put("x", ["If-None-Match: *"], path))).toBe("412 sheet_changed");
    expect(held("team/new one.csv")).toBe(HELLO);
  });

  test("makes the first sheet of a project", async () => {
    const empty = await startStudio({ files: {} });
    onTestFinished(() => empty.stop());
    expect((await empty.ask("GET /studio/api/sheets")).body).toBe("[]");
    const answer = await empty.ask("PUT /studio/api/sheets/first.csv", [CSV, "If-None-Match: *"], HELLO);
    expect(answer.status).toBe(201);
    expect(readFileSync(join(empty.folder, "workflows/first.csv"), "utf8")).toBe(HELLO);
  });

  test.each([
    ["team", "422 edit_invalid"],
    ["flowsheet.yaml", "422 edit_invalid"],
    [".hidden.csv", "422 edit_invalid"],
    ["%20blank.csv", "422 edit_invalid"],
    ["bidi%E2%80%AE.csv", "422 edit_invalid"],
    ["none/new.csv", "422 edit_invalid"],
    ["node_modules/new.csv", "422 edit_invalid"],
    ["hello.test.csv", "422 edit_invalid"],
    ["a%3Ab.csv", "422 edit_invalid"],
    ["..%2fnew.csv", "400 path_invalid"],
    ["../new.csv", "400 path_invalid"],
    ["a%5Cb.csv", "400 path_invalid"],
    ["a%00.csv", "400 path_invalid"],
  ])("no sheet can be named %s", async (name, expected) => {
    expect(told(await put(HELLO, ["If-None-Match: *"], `/studio/api/sheets/${name}`))).toBe(expected);
  });

  test("no link leads a new sheet out of the folder", async () => {
    const outside = createFolder();
    symlinkSync(outside, file("away"));
    expect(told(await put(HELLO, ["If-None-Match: *"], "/studio/api/sheets/away/new.csv"))).toBe(
      "422 edit_invalid",
    );
    expect(readdirSync(outside)).toEqual([]);
  });

  test("takes UTF-8 of at most 5 MB", async () => {
    const match = `If-Match: ${tagOf(HELLO)}`;
    expect(told(await put(Buffer.from([0xff, 0xfe, 0x41]), [match]))).toBe("422 edit_invalid");
    expect(told(await put("x".repeat(5_300_000), [match]))).toBe("413 body_too_large");
    expect(held()).toBe(HELLO);
  });
});

describe("sheets that are only read", () => {
  test.each<[string, Buffer | string, string]>([
    [
      "windows-1252",
      Buffer.from(HELLO.replace("Hello {", "Gr\u00fc\u00df {"), "latin1"),
      "flowsheet validate --fix",
    ],
    ["UTF-16", Buffer.from(`\ufeff${HELLO}`, "utf16le"), "it is UTF-16"],
    ["damaged quotes", `${HELLO}Hello,B,,echo,,,"never closed\n`, "its quotes are damaged"],
    ["more than 5 MB", HELLO + `# ${"x".repeat(100)}\n`.repeat(53_000), "it is larger than 5 MB"],
  ])("%s", async (_what, content, reason) => {
    studio.write("workflows/hello.csv", content);
    const answer = await patch([set("Hello {name}", "x")]);
    expect([told(answer), answer.json?.["detail"]]).toEqual([
      "409 sheet_read_only",
      expect.stringContaining(reason),
    ]);
    expect(readFileSync(file()).equals(Buffer.from(content))).toBe(true);
    const [listed] = (
      JSON.parse((await studio.ask("GET /studio/api/sheets")).body) as { name: string; reason: string }[]
    ).filter(({ name }) => name === "hello.csv");
    expect(listed).toMatchObject({ writable: false, reason: expect.stringContaining(reason) });
  });

  test("a symbolic link", async () => {
    symlinkSync(file(), file("link.csv"));
    const answer = await patch([set("Hello {name}", "x")], [], "/studio/api/sheets/link.csv");
    expect([told(answer), answer.json?.["detail"]]).toEqual([
      "409 sheet_read_only",
      expect.stringContaining("symbolic link"),
    ]);
    expect(held()).toBe(HELLO);
  });

  test("a workbook", async () => {
    const rows = HELLO.trim()
      .split("\n")
      .map((line) => line.split(","));
    const book = Buffer.from(bookOf({ sheets: [{ name: "Flow", data: rowsOf(rows) }] }));
    studio.write("workflows/book.xlsx", book);
    const answer = await patch([set("Hello {name}", "x")], [], "/studio/api/sheets/book.xlsx");
    const reason = "it is a workbook: change it in a spreadsheet program";
    expect([told(answer), answer.json?.["detail"]]).toEqual([
      "409 sheet_read_only",
      expect.stringContaining(reason),
    ]);
    const listed = JSON.parse((await studio.ask("GET /studio/api/sheets")).body) as { name: string }[];
    expect(listed.find(({ name }) => name === "book.xlsx")).toMatchObject({ writable: false, reason });
    expect(readFileSync(file("book.xlsx")).equals(book)).toBe(true);
  });
});

describe("served", () => {
  const serve = (config: string): ReturnType<typeof startService> =>
    startService({ config, files: { "workflows/hello.csv": HELLO } });
  const edits = JSON.stringify({ edits: [set("Hello {name}", "Hi {name}")] });

  test("whoever may write writes, where the configuration says edit", async () => {
    const service = await serve(`server:\n  studio: edit\n${authentication()}`);
    onTestFinished(() => service.stop());
    const send = async (key: string): Promise<string> =>
      told(await request(service.port, `PATCH ${PATH}`, [`X-API-Key: ${key}`, JSON_TYPE], edits));
    expect(await send(KEYS.readonly)).toBe("403 permission_denied");
    expect(await send(KEYS.executor)).toBe("403 permission_denied");
    expect(await send(KEYS.developer)).toBe("200 ok");
  });

  test("nobody writes where it says read", async () => {
    const service = await serve(`server:\n  studio: read\n${authentication()}`);
    onTestFinished(() => service.stop());
    const admin = [`X-API-Key: ${KEYS.admin}`];
    expect(told(await request(service.port, `PATCH ${PATH}`, [...admin, JSON_TYPE], edits))).toBe(
      "403 permission_denied",
    );
    expect(told(await request(service.port, `PUT ${PATH}`, [...admin, CSV, "If-Match: *"], "x"))).toBe(
      "403 permission_denied",
    );
  });

  test("a limited key gives a sheet no graph that it may not use", async () => {
    const limited = authentication().replace(
      "user_id: developer\n",
      "user_id: developer\n      graphs: [Hello]\n",
    );
    const service = await serve(`server:\n  studio: edit\n${limited}`);
    onTestFinished(() => service.stop());
    const key = `X-API-Key: ${KEYS.developer}`;
    const other = JSON.stringify({
      edits: [{ op: "insert", after: null, cells: { graph_name: "Other", node_name: "A" } }],
    });
    expect(told(await request(service.port, `PATCH ${PATH}`, [key, JSON_TYPE], other))).toBe(
      "403 permission_denied",
    );
    expect(told(await request(service.port, `PATCH ${PATH}`, [key, JSON_TYPE], edits))).toBe("200 ok");
  });
});

describe("what a key may not run, it may not write either", () => {
  const HEAD = "graph_name,node_name,next_node,agent_type,input_fields,output_field,prompt,context\n";
  const graph = (name: string, context: object, agent = "echo"): string =>
    `${HEAD}${name},A,,${agent},,note,hi,"${JSON.stringify(context).replaceAll('"', '""')}"\n`;
  const open = (path: string): object => ({ webhook: { path, verify: "none", answer: "result" } });
  const serve = async (entry: string, files: { readonly [path: string]: string }, more = "") => {
    const config = `server:\n  studio: edit\n${more}${authentication().replace("permissions: [read, write]", entry)}`;
    const service = await startService({ config, files });
    onTestFinished(() => service.stop());
    return async (
      sheet: string,
      text: string | Buffer,
      how = "If-None-Match: *",
      key: string = KEYS.developer,
    ) => {
      const headers = [`X-API-Key: ${key}`, CSV, how];
      const answer = await request(service.port, `PUT /studio/api/sheets/${sheet}`, headers, text);
      return `${told(answer)} ${String(answer.json?.["detail"] ?? "")}`.trim();
    };
  };
  const NEEDS = "403 permission_denied A new or changed webhook or schedule needs the permission execute.";
  const UNKNOWN = "403 permission_denied The sheet would run graphs that the key may not use.";

  test("a new or changed webhook or schedule needs execute", async () => {
    const kept = graph("Kept", open("/kept"));
    const write = await serve("permissions: [read, write]", { "workflows/kept.csv": kept });
    expect(await write("new.csv", graph("New", open("/new")))).toBe(NEEDS);
    expect(await write("new.csv", graph("New", { schedule: "0 * * * *" }))).toBe(NEEDS);
    expect(await write("kept.csv", kept.replace("result", "accepted"), "If-Match: *")).toBe(NEEDS);
    expect(await write("kept.csv", kept.replace("hi", "hello"), "If-Match: *")).toBe("200 ok");
    expect(await write("kept.csv", graph("Kept", {}), "If-Match: *")).toBe("200 ok");
    expect(await write("new.csv", graph("New", open("/new")), "If-None-Match: *", KEYS.admin)).toBe("201 ok");
  });

  test("a limited key adds no call of a graph outside its list", async () => {
    const write = await serve("graphs: [Mine, Other]\n      permissions: [read, write]", {
      "workflows/mine.csv": graph("Mine", { graph: "Granted" }, "graph"),
      "workflows/granted.csv": graph("Granted", {}),
      "workflows/other.csv": graph("Other", {}),
      "workflows/hidden.csv": graph("Hidden", {}),
    });
    const call = (name: string): Promise<string> =>
      write("mine.csv", graph("Mine", { graph: name }, "graph"), "If-Match: *");
    expect(await call("Granted")).toBe("200 ok");
    for (const name of ["Hidden", "hidden::Hidden", "Hiden"]) expect(await call(name)).toBe(UNKNOWN);
    expect(await write("mine.csv", graph("Other", { graph: "Granted" }, "GRAPH"), "If-Match: *")).toBe(
      UNKNOWN,
    );
    expect(await call("Other")).toBe("200 ok");
    expect(await call("other::Other")).toBe("200 ok");
    expect(await call("Mine")).toBe("200 ok");
  });

  test("a limited key writes no sheet without graphs, and nobody UTF-16 without a mark", async () => {
    const write = await serve("graphs: [Mine]\n      permissions: [read, write]", {
      "workflows/mine.csv": graph("Mine", {}),
    });
    const none = "422 edit_invalid the sheet would name no graph: your key is limited to some graphs";
    for (const text of ["", HEAD, "hello\n", "node_name,agent_type\nA,echo\n"]) {
      expect(await write("new.csv", text), text).toContain(none);
      expect(await write("mine.csv", text, "If-Match: *"), text).toContain(none);
    }
    const wide = (text: string): Buffer => Buffer.from(text, "utf16le");
    for (const key of [KEYS.developer, KEYS.admin])
      for (const text of [wide(graph("Other", {})), wide(graph("Other", {})).swap16()])
        expect(await write("wide.csv", text, "If-None-Match: *", key)).toBe(
          "422 edit_invalid the text is not UTF-8",
        );
    expect(await write("new.csv", "hello\n", "If-None-Match: *", KEYS.admin)).toBe("201 ok");
    expect(await write("more.csv", graph("Mine", {}))).toBe("201 ok");
  });

  test("a call of the sheet's own graph is none of a graph outside", async () => {
    const own = graph("Mine", { graph: "Part" }, "graph") + graph("Part", {}).slice(HEAD.length);
    const write = await serve('graphs: ["team/*"]\n      permissions: [read, write]', {
      "workflows/team/mine.csv": own,
      "workflows/part.csv": graph("Part", {}),
    });
    const without = graph("Mine", { graph: "Part" }, "graph");
    expect(await write("team/mine.csv", without, "If-Match: *")).toBe(UNKNOWN);
    expect(await write("team/mine.csv", own.replace("hi", "hello"), "If-Match: *")).toBe("200 ok");
  });

  test("a name with a blank hides no call", async () => {
    const call = (graph: string): string => `graph,,note,,"{""graph"":""${graph}""}"\n`;
    const sheet = (last: string): string => `${HEAD}A,X,,${call("B C")}A B,Y,,${last}`;
    const write = await serve('graphs: [A, "A B"]\n      permissions: [read, write]', {
      "workflows/a.csv": sheet("echo,,note,hi,\n"),
      "workflows/hidden.csv": graph("B C", {}) + graph("C", {}).slice(HEAD.length),
    });
    expect(await write("a.csv", sheet(call("C")), "If-Match: *")).toBe(UNKNOWN);
  });

  test("no second graph makes a name ambiguous for those who call the first", async () => {
    const FOREIGN = "403 permission_denied The sheet would have graphs that the key may not use.";
    const write = await serve('graphs: ["team/*"]\n      permissions: [read, write]', {
      "workflows/main.csv": graph("Main", { graph: "Helper" }, "graph"),
      "workflows/helper.csv": graph("Helper", {}),
      "workflows/team/mine.csv": graph("Mine", {}),
    });
    expect(await write("team/new.csv", graph("Helper", {}))).toBe(FOREIGN);
    expect(await write("team/mine.csv", graph("Helper", {}), "If-Match: *")).toBe(FOREIGN);
    expect(await write("team/new.csv", graph("Mine", {}))).toBe("201 ok");
  });

  test("no sheet takes the webhook path of another workflow", async () => {
    const limit = "graphs: [Mine]\n      permissions: [read, write, execute]";
    const write = await serve(limit, { "workflows/first.csv": graph("First", open("/first")) });
    const taken = "422 edit_invalid the webhook path /first is taken";
    expect(await write("mine.csv", graph("Mine", open("/first")))).toBe(taken);
    expect(await write("mine.csv", graph("Mine", open("/first")), "If-None-Match: *", KEYS.admin)).toBe(
      `${taken} by "First" (first.csv)`,
    );
    const escaped = graph("Mine", open("/first")).replace("webhook", "\\u0077ebhook");
    expect(await write("mine.csv", escaped, "If-None-Match: *", KEYS.admin)).toBe(
      `${taken} by "First" (first.csv)`,
    );
    expect(await write("mine.csv", graph("Mine", open("/mine")))).toBe("201 ok");
  });

  test("a limited key moves no name of a tool to another graph", async () => {
    const limit = "graphs: [Pay, pay]\n      permissions: [read, write, execute]";
    const files = { "workflows/m.csv": graph("Pay", {}) };
    const write = await serve(limit, files, "  mcp: {enabled: true}\n");
    const moved =
      "422 edit_invalid a tool of assistants would mean another graph than before: choose another name for the graph";
    expect(await write("a.csv", graph("pay", {}))).toBe(moved);
    expect(await write("z.csv", graph("pay", {}))).toBe("201 ok");
    expect(await write("a.csv", graph("pay", {}), "If-None-Match: *", KEYS.admin)).toBe("201 ok");
  });
});

/** Starts the Studio as a process of its own. */
async function begin(
  cwd: string,
): Promise<{ readonly child: ChildProcess; readonly url: string; readonly token: string }> {
  const child = spawn(process.execPath, [resolve("dist/cli/bin.js"), "studio"], {
    cwd,
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let text = "";
  for await (const part of child.stdout) {
    text += String(part);
    const [, url, token] = /^ {2}open +(\S+)#token=(\S+)$/m.exec(text) ?? [];
    if (url !== undefined && token !== undefined) return { child, url, token };
  }
  throw new Error(`the Studio did not start: ${text}`);
}

test("kill -9 in the midst of a save leaves the old sheet or the new one", async () => {
  const rows = Array.from({ length: 20_000 }, (_, i) => `Hello,N${i},,echo,,,text ${i}\n`).join("");
  const cwd = createFolder({ "hello.csv": HELLO + rows });
  const path = join(cwd, "hello.csv");
  const rounds = howMany(5, 1, "KILL_ROUNDS");
  for (let round = 0; round < rounds; round++) {
    const { child, url, token } = await begin(cwd);
    const known = new Set([readFileSync(path, "utf8")]);
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "text/csv", "If-Match": "*" };
    // A lock of the dead is taken over after some seconds, which no round waits for.
    rmSync(join(cwd, ".hello.csv.lock"), { recursive: true, force: true });
    let saves = 0;
    const saving = (async () => {
      for (let i = 0; ; i++) {
        const text = `${HELLO}${rows}# round ${round}, save ${i}\n`;
        known.add(text);
        const { status } = await fetch(`${url}api/sheets/hello.csv`, { method: "PUT", headers, body: text });
        if (status === 200) saves++;
      }
    })().catch(() => {});
    // Each round dies at another point of a save.
    await expect.poll(() => saves, { interval: 1 }).toBeGreaterThan(0);
    await sleep((7 * round) % 31);
    child.kill("SIGKILL");
    await once(child, "exit");
    await saving;
    expect(known.has(readFileSync(path, "utf8"))).toBe(true);
  }
  // What the dead have left is swept by the next one that writes.
  writeFileSync(path, HELLO);
  const { url, token } = await begin(cwd);
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "text/csv", "If-Match": "*" };
  const { status } = await fetch(`${url}api/sheets/hello.csv`, { method: "PUT", headers, body: HELLO });
  expect(status).toBe(200);
  expect(readdirSync(cwd).filter((name) => name.includes("hello.csv"))).toEqual(["hello.csv"]);
});
