import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createKey, storedForm } from "../../runtime/auth/keys.js";
import {
  createLiveAuthenticator,
  type LiveAuthenticator,
  StartRefusedError,
} from "../../runtime/auth/live.js";
import { describeStart } from "../../runtime/auth/plan/start-notes.js";
import { createFolder } from "../cli/folder.js";
import { collect } from "./door.js";

const OLD = createKey();
const NEW = createKey();

const section = (key: string): string =>
  `authentication:\n  api_keys:\n    a: {key: "${storedForm(key)}", permissions: [read], user_id: a}\n`;

interface Living {
  readonly auth: LiveAuthenticator;
  readonly file: string;
  readonly log: string[];
  readonly status: (key: string) => Promise<number>;
}

function start(
  files: { readonly [name: string]: string },
  env = {},
  bindHost: string | null = "127.0.0.1",
): Living {
  const cwd = createFolder(files);
  const log: string[] = [];
  const auth = createLiveAuthenticator({
    cwd,
    named: null,
    env,
    bindHost,
    log: collect(log),
    checkEveryMs: 0,
  });
  const status = async (key: string): Promise<number> => {
    const rawHeaders = ["X-API-Key", key];
    const result = await auth.authorize(
      { path: "/workflows", query: "", rawHeaders, socketAddress: "10.0.0.1" },
      ["read"],
    );
    return result.ok ? 200 : result.status;
  };
  return { auth, file: join(cwd, "flowsheet.yaml"), log, status };
}

describe("the file is read again when it changes", () => {
  test("a file that is made after the start comes into force", async () => {
    const { file, status } = start({});
    expect(await status(NEW)).toBe(401);
    writeFileSync(file, section(NEW));
    expect(await status(NEW)).toBe(200);
  });

  test("A60 old keys are dead, new ones live", async () => {
    const { file, log, status } = start({ "flowsheet.yaml": section(OLD) });
    expect([await status(OLD), await status(NEW)]).toEqual([200, 401]);
    writeFileSync(file, section(NEW));
    expect([await status(OLD), await status(NEW)]).toEqual([401, 200]);
    expect(log.join("\n")).toContain("the new one is in force");
  });

  test.each([
    ["no YAML", "a: [\n"],
    ["a wrong structure", "authentication:\n  api_keys: []\n"],
    ["equal keys", `${section(NEW)}    b: {key: "${storedForm(NEW)}", permissions: [admin], user_id: b}\n`],
    ["a weak secret", `${section(NEW)}  jwt: {secret: short}\n`],
    ["a fault in another section", `${section(NEW)}server: {port: x}\n`],
  ])("A53 a bad new one keeps the old, and logs it: %s", async (_, text) => {
    const { file, log, status } = start({ "flowsheet.yaml": section(OLD) });
    writeFileSync(file, text);
    expect([await status(OLD), await status(NEW)]).toEqual([200, 401]);
    expect(log.filter((line) => line.startsWith("ERROR"))).toEqual([
      expect.stringContaining("the old one stays in force"),
    ]);
    writeFileSync(file, section(NEW));
    expect([await status(OLD), await status(NEW)]).toEqual([401, 200]);
  });

  test("A53 a file that goes away keeps the old", async () => {
    const { file, log, status } = start({ "flowsheet.yaml": section(OLD) });
    rmSync(file);
    expect([await status(OLD), await status(OLD)]).toEqual([200, 200]);
    expect(log.filter((line) => line.startsWith("ERROR"))).toHaveLength(1);
  });

  test("a changed .env file counts, too", async () => {
    const text =
      "authentication:\n  api_keys:\n    a: {key: env:FLOWSHEET_KEY_A, permissions: [read], user_id: a}\n";
    const { file, status } = start({ "flowsheet.yaml": text, ".env": `FLOWSHEET_KEY_A=${OLD}\n` });
    expect([await status(OLD), await status(NEW)]).toEqual([200, 401]);
    writeFileSync(join(file, "../.env"), `FLOWSHEET_KEY_A=${NEW}\n`);
    expect([await status(OLD), await status(NEW)]).toEqual([401, 200]);
  });

  test("a bad entry dies alone, and is logged", async () => {
    const { file, log, status } = start({ "flowsheet.yaml": section(OLD) });
    writeFileSync(file, `${section(NEW)}    b: {key: env:NOPE, permissions: [admin], user_id: b}\n`);
    expect([await status(OLD), await status(NEW)]).toEqual([401, 200]);
    expect(log.join("\n")).toMatch(/ERROR .*NOPE, which is not set/);
  });
});

describe("what stops the start", () => {
  const BYPASS = "authentication:\n  embedded_mode: {enabled: true, bypass_auth: true}\n";

  test.each(["0.0.0.0", "::", "192.168.1.5", "example.org"])("A58 bypass on %s", (host) => {
    expect(() => start({ "flowsheet.yaml": BYPASS }, {}, host)).toThrow(StartRefusedError);
  });

  test.each(["127.0.0.1", "localhost", "::1", "[::1]", "127.5.5.5"])("not bypass on %s", (host) => {
    expect(start({ "flowsheet.yaml": BYPASS }, {}, host).auth.plan.mode).toBe("bypass");
  });

  test("A50 K28 equal keys, weak secrets; the message holds no secret", () => {
    for (const text of [
      `${section(OLD)}    b: {key: ${OLD}, permissions: [admin], user_id: b}\n`,
      `authentication:\n  jwt: {secret: hunter2-hunter2}\n`,
    ]) {
      try {
        start({ "flowsheet.yaml": text });
        expect.unreachable();
      } catch (error) {
        expect(error).toBeInstanceOf(StartRefusedError);
        expect(JSON.stringify(error) + String(error)).not.toMatch(/hunter2|fsk_/);
      }
    }
  });
});

describe("what a start says", () => {
  test("methods, and that write is not execute", () => {
    const { auth } = start({ "flowsheet.yaml": section(OLD) }, { FLOWSHEET_API_KEY_USER: NEW });
    expect(describeStart(auth.configuration)).toEqual({
      methods: "1 API key, 1 key of the environment",
      warnings: [],
      hints: ["write does not include execute: FLOWSHEET_API_KEY_USER cannot run workflows"],
    });
  });

  test.each([
    ["", "no credential is known", /auth init/],
    ["authentication: {enabled: false}\n", "off", /everybody may do everything/],
    [
      "authentication:\n  embedded_mode: {enabled: true, bypass_auth: true}\n",
      "bypassed on this machine",
      /bypassed/,
    ],
  ])("%j", (text, methods, said) => {
    const notes = describeStart(start({ "flowsheet.yaml": text }).auth.configuration);
    expect(notes.methods).toContain(methods);
    expect([...notes.warnings, ...notes.hints].join()).toMatch(said);
  });
});
