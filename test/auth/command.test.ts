import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { isOwnKey, storedForm } from "../../runtime/auth/keys.js";
import { createFolder } from "../cli/folder.js";
import { BIN, flowsheetProcess } from "../cli/process.js";
import { flowsheet } from "../cli/run.js";
import { CLEAN } from "../cli/sheets.js";

const ORDER = ["admin", "readonly", "executor", "developer"];
const LINE = /^(\w+) +(fsk_\S+)$/gm;

/** Keys by name, as they were printed. */
const printed = (stdout: string): readonly (readonly [string, string])[] =>
  [...stdout.matchAll(LINE)].map(([, name = "", key = ""]) => [name, key] as const);

const yamlIn = (folder: string) => parse(readFileSync(join(folder, "flowsheet.yaml"), "utf8"));
const auth = (folder: string, ...args: readonly string[]) => flowsheet(["auth", ...args], { cwd: folder });

describe("auth init", () => {
  test("makes four keys, shows each once, and keeps their digests", async () => {
    const folder = createFolder();
    const { code, stdout, stderr } = await auth(folder, "init");
    expect([code, stderr]).toEqual([0, ""]);
    const keys = printed(stdout);
    expect(keys.map(([name]) => name)).toEqual(ORDER);
    const { authentication } = yamlIn(folder);
    for (const [name, key] of keys) {
      expect(isOwnKey(key)).toBe(true);
      expect(authentication.api_keys[name].key).toBe(storedForm(key));
      expect(authentication.api_keys[name].metadata).toMatchObject({ created_by: "flowsheet auth init" });
    }
    expect(
      Object.entries(authentication.api_keys).map(([name, entry]) => [
        name,
        (entry as { permissions: unknown }).permissions,
      ]),
    ).toEqual([
      ["admin", ["admin"]],
      ["readonly", ["read"]],
      ["executor", ["read", "execute"]],
      ["developer", ["read", "write"]],
    ]);
    const days = (Date.parse(authentication.api_keys.developer.expires_at) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(89);
    expect(days).toBeLessThan(91);
    expect(statSync(join(folder, "flowsheet.yaml")).mode & 0o777).toBe(0o600);
    expect((await auth(folder, "view")).code).toBe(0);
    expect(
      await flowsheet(["validate", "--config", "flowsheet.yaml", "--strict"], { cwd: folder }),
    ).toMatchObject({ code: 0 });
  });

  test("says what to type next, with the project's own graph", async () => {
    const folder = createFolder({ "a.csv": CLEAN });
    const { stdout } = await auth(folder, "init", "--config", "flowsheet.yaml");
    const [, , [, executor] = ["", ""]] = printed(stdout);
    expect(stdout).toContain("Start the server:\n   flowsheet serve\n");
    expect(stdout).toContain(`curl -X POST http://127.0.0.1:8000/execute -H 'X-API-Key: ${executor}'`);
    const [, body = ""] = /-d '(.*)'$/m.exec(stdout) ?? [];
    expect(JSON.parse(body)).toMatchObject({ graph_name: expect.not.stringMatching("YourGraph") });
    // The sheets that were found without a configuration are found with it.
    expect((await flowsheet(["validate"], { cwd: folder })).code).toBe(0);
  });

  test("K15 on a section that is there changes nothing, and says so", async () => {
    const folder = createFolder();
    await auth(folder, "init");
    const before = readFileSync(join(folder, "flowsheet.yaml"));
    const { code, stdout, stderr } = await auth(folder, "init");
    expect([code, stdout]).toEqual([0, ""]);
    expect(stderr).toContain("nothing was changed");
    expect(readFileSync(join(folder, "flowsheet.yaml"))).toEqual(before);
  });

  test("K16 --force writes a new one, and keeps everything else", async () => {
    const head = "# mine\r\nworkflows: 'flows'   # here\r\n";
    const tail = "# logs\r\nlogging: {loggers: {flowsheet.auth: {level: DEBUG}}}\r\n";
    const folder = createFolder({ "flowsheet.yaml": `${head}authentication: {enabled: false}\r\n${tail}` });
    const { code, stdout } = await auth(folder, "init", "--force");
    expect([code, printed(stdout).length]).toEqual([0, 4]);
    const text = readFileSync(join(folder, "flowsheet.yaml"), "utf8");
    expect(text.startsWith(`${head}authentication:\r\n`)).toBe(true);
    expect(text.endsWith(tail)).toBe(true);
    expect(yamlIn(folder).authentication.enabled).toBe(true);
  });

  test("--json is the only thing on stdout", async () => {
    const { stdout } = await auth(createFolder(), "init", "--json");
    const { keys } = JSON.parse(stdout) as {
      keys: readonly { name: string; key: string; user_id: string; expires_at: string | null }[];
    };
    expect(keys.map(({ name }) => name)).toEqual(ORDER);
    expect(keys.map(({ expires_at }) => expires_at === null)).toEqual([true, true, true, false]);
    expect(keys.every(({ key, name, user_id }) => isOwnKey(key) && name === user_id)).toBe(true);
  });

  test("a variable of the process would make the new key in .env a dead one: nothing is changed", async () => {
    const folder = createFolder({});
    const env = { FLOWSHEET_KEY_ADMIN: "proc_admin_key_0123456789abcdefghijklmn" };
    const refused = await flowsheet(["auth", "init", "--store", "env"], { cwd: folder, env });
    expect([
      refused.code,
      existsSync(join(folder, ".env")),
      existsSync(join(folder, "flowsheet.yaml")),
    ]).toEqual([2, false, false]);
    expect(refused.stderr).toMatch(/FLOWSHEET_KEY_ADMIN is set and goes before \.env: nothing was changed/);
    await auth(folder, "init", "--store", "env");
    const before = readFileSync(join(folder, ".env"), "utf8");
    expect((await flowsheet(["auth", "update"], { cwd: folder, env })).code).toBe(2);
    expect(readFileSync(join(folder, ".env"), "utf8")).toBe(before);
  });

  test("--store env keeps the keys in .env, which others of the machine can no longer read", async () => {
    const folder = createFolder({ ".env": "# mine\nOTHER=1\n" });
    const { stdout } = await auth(folder, "init", "--store", "env");
    const text = readFileSync(join(folder, ".env"), "utf8");
    expect(text.startsWith("# mine\nOTHER=1\n")).toBe(true);
    for (const [name, key] of printed(stdout)) {
      expect(text).toContain(`FLOWSHEET_KEY_${name.toUpperCase()}=${key}\n`);
      expect(yamlIn(folder).authentication.api_keys[name].key).toBe(
        `env:FLOWSHEET_KEY_${name.toUpperCase()}`,
      );
    }
    expect(statSync(join(folder, ".env")).mode & 0o777).toBe(0o640);
    expect(
      (await flowsheet(["validate", "--section", "authentication", "--strict"], { cwd: folder })).code,
    ).toBe(0);
  });

  test("a configuration that cannot be read is left alone", async () => {
    const folder = createFolder({ "flowsheet.yaml": "a: [1\nb: 2\n" });
    const { code, stdout, stderr } = await auth(folder, "init");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^error: cannot change flowsheet\.yaml: \d+:\d+: /);
    expect(readdirSync(folder)).toEqual(["flowsheet.yaml"]);
  });
});

describe("auth add", () => {
  test("makes a key for one person, who may only answer, and leaves all else to the byte", async () => {
    const folder = createFolder();
    const made = await auth(folder, "init");
    expect(made.stdout).toContain("npx flowsheet auth add --user ada");
    const before = readFileSync(join(folder, "flowsheet.yaml"), "utf8");
    const { code, stdout, stderr } = await auth(folder, "add", "--user", "ada");
    expect(code).toBe(0);
    expect(stderr).toContain("it cannot be shown again");
    const [[name, key] = ["", ""]] = printed(stdout);
    expect([name, isOwnKey(key)]).toEqual(["ada", true]);
    const entry = yamlIn(folder).authentication.api_keys.ada;
    expect(entry).toMatchObject({ key: storedForm(key), permissions: ["answer"], user_id: "ada" });
    const after = readFileSync(join(folder, "flowsheet.yaml"), "utf8");
    const [head = "", tail = ""] = after.split(/^ {4}"ada":\n(?: {6}.*\n)+/m);
    expect(head + tail).toBe(before);
    expect(await auth(folder, "view")).toMatchObject({ code: 0 });
    expect(
      (await flowsheet(["validate", "--config", "flowsheet.yaml", "--strict"], { cwd: folder })).code,
    ).toBe(0);
  });

  test("takes permissions, a role and graphs, and tells them as JSON", async () => {
    const folder = createFolder();
    await auth(folder, "init");
    const wish = ["--permission", "read", "--permission", "answer", "--role", "manager", "--graph", "Refund"];
    const { stdout } = await auth(folder, "add", "--user", "bob@example.com", ...wish, "--json");
    const { keys } = JSON.parse(stdout) as { readonly keys: readonly object[] };
    const permissions = ["read", "answer"];
    expect(keys).toMatchObject([
      { name: "bob@example.com", user_id: "bob@example.com", permissions, expires_at: null },
    ]);
    const { api_keys: entries } = yamlIn(folder).authentication;
    expect(entries["bob@example.com"]).toMatchObject({ permissions, roles: ["manager"], graphs: ["Refund"] });
  });

  test.each([
    [[], "auth add needs to know for whom"],
    [["--user", "role:boss"], "does not begin with os: or role:"],
    [["--user", "admin"], 'there is a key "admin" already: nothing was changed'],
    [["--user", "ada", "--permission", "anwser"], 'did you mean "answer"?'],
  ])("%j", async (args, message) => {
    const folder = createFolder();
    await auth(folder, "init");
    const before = readFileSync(join(folder, "flowsheet.yaml"), "utf8");
    const { code, stdout, stderr } = await auth(folder, "add", ...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
    expect(readFileSync(join(folder, "flowsheet.yaml"), "utf8")).toBe(before);
  });

  test("without keys it says how to make some", async () => {
    const { code, stderr } = await auth(createFolder(), "add", "--user", "ada");
    expect([code, stderr]).toEqual([2, expect.stringContaining("flowsheet auth init makes four")]);
  });
});

describe("auth update", () => {
  test("A60 gives all keys new values, and keeps everything else", async () => {
    const folder = createFolder({ "flowsheet.yaml": "# top\nserver: {port: 81} # x\n" });
    const first = printed((await auth(folder, "init")).stdout);
    const file = join(folder, "flowsheet.yaml");
    writeFileSync(
      file,
      readFileSync(file, "utf8")
        .replace("enabled: true", "enabled: true # on")
        .replace("    - /redoc\n", "")
        .replace("user_id: readonly", "user_id:   ada"),
    );
    const before = readFileSync(file, "utf8");
    const { code, stdout } = await auth(folder, "update");
    const second = printed(stdout);
    expect(code).toBe(0);
    expect(second.map(([name]) => name)).toEqual(ORDER);
    for (const [index, [name, key]] of second.entries()) {
      expect(key).not.toBe(first[index]?.[1]);
      expect(yamlIn(folder).authentication.api_keys[name].key).toBe(storedForm(key));
    }
    const changing = /(key|created|expires_at): "[^"]*"/g;
    expect(readFileSync(file, "utf8").replace(changing, "")).toBe(before.replace(changing, ""));
    expect(readFileSync(`${file}.bak`, "utf8")).toBe(before);
  });

  test("keys of other names are renewed, too; plain ones become digests", async () => {
    const text =
      "authentication:\n  api_keys:\n    zed: { key: my-plain-key, permissions: [read], user_id: z } # zed\n    admin:\n      key: other\n      permissions: [admin]\n      user_id: a\n";
    const folder = createFolder({ "flowsheet.yaml": text });
    const { stdout } = await auth(folder, "update");
    expect(printed(stdout).map(([name]) => name)).toEqual(["admin", "zed"]);
    const after = readFileSync(join(folder, "flowsheet.yaml"), "utf8");
    expect(after).not.toContain("my-plain-key");
    expect(after).toContain("user_id: z } # zed");
  });

  test("keys of a .env file are renewed there", async () => {
    const folder = createFolder();
    await auth(folder, "init", "--store", "env");
    const keys = printed((await auth(folder, "update")).stdout);
    const text = readFileSync(join(folder, ".env"), "utf8");
    for (const [, key] of keys) expect(text).toContain(key);
    expect(text.split("\n")).toHaveLength(5);
  });

  test("a key that is set elsewhere stops it, and names the cure", async () => {
    const text =
      "authentication:\n  api_keys:\n    a: {key: env:ELSEWHERE, permissions: [read], user_id: a}\n";
    const folder = createFolder({ "flowsheet.yaml": text });
    const { code, stdout, stderr } = await auth(folder, "update");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("ELSEWHERE");
    expect(readFileSync(join(folder, "flowsheet.yaml"), "utf8")).toBe(text);
    expect(printed((await auth(folder, "update", "--store", "hash")).stdout)).toHaveLength(1);
    expect(yamlIn(folder).authentication.api_keys.a.key).toMatch(/^sha256:/);
  });

  test("--key renews the named ones alone; another name is wrong usage", async () => {
    const folder = createFolder();
    const first = printed((await auth(folder, "init")).stdout);
    const { code, stdout, stderr } = await auth(folder, "update", "--key", "executor", "--key", "admin");
    expect([code, printed(stdout).map(([name]) => name)]).toEqual([0, ["admin", "executor"]]);
    expect(stderr).toContain("the old key executor of flowsheet.yaml is no longer valid");
    const live = yamlIn(folder).authentication.api_keys;
    for (const [name, key] of first) {
      const isSame = live[name].key === storedForm(key);
      expect([name, isSame]).toEqual([name, name === "readonly" || name === "developer"]);
    }
    const before = readFileSync(join(folder, "flowsheet.yaml"), "utf8");
    const wrong = await auth(folder, "update", "--key", "executer");
    expect([wrong.code, wrong.stdout, wrong.stderr]).toEqual([
      2,
      "",
      'error: there is no key "executer"\n  = help: did you mean executor?\n',
    ]);
    expect(readFileSync(join(folder, "flowsheet.yaml"), "utf8")).toBe(before);
  });

  test("--key with --store env takes no variable of a key that stays", async () => {
    const text =
      'authentication:\n  api_keys:\n    a-b: {key: one, permissions: [read], user_id: a}\n    a_b: {key: "env:FLOWSHEET_KEY_A_B", permissions: [read], user_id: b}\n';
    const folder = createFolder({ "flowsheet.yaml": text, ".env": "FLOWSHEET_KEY_A_B=two\n" });
    const { code, stderr } = await auth(folder, "update", "--key", "a-b", "--store", "env");
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("would share the variable FLOWSHEET_KEY_A_B"),
    ]);
    expect(readFileSync(join(folder, ".env"), "utf8")).toBe("FLOWSHEET_KEY_A_B=two\n");
  });

  test("--overlap keeps the old key as an entry of its own that ends; it is never renewed by itself", async () => {
    const folder = createFolder();
    const [, , [, oldKey] = ["", ""]] = printed((await auth(folder, "init")).stdout);
    const file = join(folder, "flowsheet.yaml");
    const before = readFileSync(file, "utf8");
    const { code, stdout, stderr } = await auth(folder, "update", "--key", "executor", "--overlap", "24h");
    expect([code, printed(stdout).map(([name]) => name)]).toEqual([0, ["executor"]]);
    expect(stderr).toMatch(/the old key executor is valid until \S+, as executor_old/);
    const { executor_old: old, executor } = yamlIn(folder).authentication.api_keys;
    expect(old).toMatchObject({
      key: storedForm(oldKey),
      permissions: ["read", "execute"],
      user_id: "executor",
      metadata: { replaced_by: "executor", description: "Runs workflows" },
    });
    const hours = (Date.parse(old.expires_at) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
    expect(executor.key).toBe(storedForm(printed(stdout)[0]?.[1] ?? ""));
    // All that stood there stands there still, line for line.
    const after = new Set(readFileSync(file, "utf8").split("\n"));
    const lost = before.split("\n").filter((line) => !after.has(line));
    expect(lost.filter((line) => !/^ +(?:key|created): /.test(line))).toEqual([]);
    expect((await auth(folder, "view")).code).toBe(0);
    expect(printed((await auth(folder, "update")).stdout).map(([name]) => name)).toEqual(ORDER);
    expect(yamlIn(folder).authentication.api_keys.executor_old).toEqual(old);
    await auth(folder, "update", "--key", "executor", "--overlap", "7d");
    expect(yamlIn(folder).authentication.api_keys.executor_old2.metadata.replaced_by).toBe("executor");
  });

  test("--overlap of keys in .env, of plain keys, and behind comments", async () => {
    const text = `authentication:
  api_keys:
    zed: { key: my-plain-key, permissions: [read], user_id: z } # zed
    # about held
    held:
      key: env:HELD
      permissions: [read]
      user_id: h
      expires_at: "2001-01-01T00:00:00Z"
    # the end
  public_endpoints: [/health]
`;
    const folder = createFolder({
      "flowsheet.yaml": text.replaceAll("\n", "\r\n"),
      ".env": "HELD=held-key\n",
    });
    expect((await auth(folder, "update", "--overlap", "30m")).code).toBe(0);
    const keys = yamlIn(folder).authentication.api_keys;
    expect([keys.zed_old.key, keys.held_old.key]).toEqual([
      storedForm("my-plain-key"),
      storedForm("held-key"),
    ]);
    expect(keys.held.key).toBe("env:HELD");
    // A key that had ended is not brought back to life.
    expect(keys.held_old.expires_at).toBe("2001-01-01T00:00:00Z");
    const after = readFileSync(join(folder, "flowsheet.yaml"), "utf8");
    expect(after.match(/# [a-z ]+/g)).toEqual(["# zed", "# about held", "# the end"]);
    expect(after.replaceAll("\r\n", "")).not.toContain("\n");
    expect(readFileSync(join(folder, ".env"), "utf8")).not.toContain("held-key");
  });

  test.each(["2025-02-30", "", "1", "never"])(
    "A28 a key that ends at %j is dead, also beside the new one",
    async (end) => {
      const folder = createFolder({
        "flowsheet.yaml": `authentication:
  api_keys:
    a:
      key: my-plain-key
      permissions: [admin]
      user_id: a
      expires_at: "${end}"
`,
      });
      const { code, stderr } = await auth(folder, "update", "--overlap", "24h");
      expect([code, stderr]).toEqual([
        0,
        expect.stringContaining("the old key a of flowsheet.yaml is no longer valid"),
      ]);
      expect(Object.keys(yamlIn(folder).authentication.api_keys)).toEqual(["a"]);
    },
  );

  test.each([
    ["its end is in a variable", "env:ENDS", "sha256:x", "ends at a time that is in the environment"],
    [
      "both keys would be in one variable",
      "2099-01-01",
      "env:FLOWSHEET_KEY_A",
      "would both be in the variable",
    ],
  ])("--overlap is refused when %s", async (_, end, key, message) => {
    const text = `authentication:
  api_keys:
    a:
      key: ${key}
      permissions: [read]
      user_id: a
      expires_at: ${end}
`;
    const folder = createFolder({ "flowsheet.yaml": text });
    const { code, stdout, stderr } = await auth(folder, "update", "--overlap", "24h", "--store", "env");
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(message)]);
    expect(readFileSync(join(folder, "flowsheet.yaml"), "utf8")).toBe(text);
  });

  test.each(["", "24", "0h", "1w", "-1h", "9999d"])("--overlap %j is wrong usage", async (overlap) => {
    const folder = createFolder();
    await auth(folder, "init");
    const { code, stderr } = await auth(folder, "update", `--overlap=${overlap}`);
    expect([code, stderr]).toEqual([2, expect.stringContaining("--overlap takes a time such as 24h")]);
  });

  test("keys that stand on one line together are not torn apart", async () => {
    const text = "authentication: {api_keys: {a: {key: x, permissions: [read], user_id: a}}}\n";
    const folder = createFolder({ "flowsheet.yaml": text });
    const { code, stdout, stderr } = await auth(folder, "update", "--overlap", "1h");
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining("write the section by hand")]);
    expect(readFileSync(join(folder, "flowsheet.yaml"), "utf8")).toBe(text);
  });

  test.each([
    ["nothing", {}, "there is no flowsheet.yaml"],
    ["no section", { "flowsheet.yaml": "workflows: a\n" }, "flowsheet.yaml has no API keys to update"],
    ["no keys", { "flowsheet.yaml": "authentication: {enabled: true}\n" }, "has no API keys to update"],
  ])("of %s is wrong usage", async (_, files, message) => {
    const folder = createFolder(files as { readonly [name: string]: string });
    const { code, stderr } = await auth(folder, "update");
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(readdirSync(folder)).toEqual(Object.keys(files));
  });

  test("K03 of several at once, the last one's keys are in force", async () => {
    const folder = createFolder();
    await auth(folder, "init");
    const all = await Promise.all(Array.from({ length: 5 }, () => auth(folder, "update")));
    expect(all.map(({ code }) => code)).toEqual(Array(5).fill(0));
    const live = yamlIn(folder).authentication.api_keys;
    const winners = all.filter(({ stdout }) =>
      printed(stdout).every(([name, key]) => live[name].key === storedForm(key)),
    );
    expect(winners).toHaveLength(1);
    expect(readdirSync(folder).sort()).toEqual(["flowsheet.yaml", "flowsheet.yaml.bak"]);
  });
});

describe("what goes wrong shows no key, and changes nothing", () => {
  test("K07 a folder that cannot be written", async () => {
    const folder = createFolder();
    chmodSync(folder, 0o555);
    try {
      const { code, stdout, stderr } = await flowsheetProcess(["auth", "init"], {
        cwd: folder,
        unprivileged: true,
      });
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toContain("permission denied");
    } finally {
      chmodSync(folder, 0o777);
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  test("K14 a configuration of another user", async () => {
    if (process.getuid?.() !== 0) return;
    const folder = createFolder({ "flowsheet.yaml": "workflows: a\n" });
    chmodSync(join(folder, "flowsheet.yaml"), 0o666);
    const { code, stdout, stderr } = await flowsheetProcess(["auth", "init"], {
      cwd: folder,
      unprivileged: true,
    });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("belongs to another user");
  });

  test("K05 a disk that is full", async (context) => {
    const folder = createFolder();
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=16k", "tmpfs", folder]);
    if (mounted.status !== 0) return context.skip("no small disk can be made here");
    try {
      const old = `# ${"x".repeat(9_000)}\nworkflows: a\n`;
      writeFileSync(join(folder, "flowsheet.yaml"), old);
      const { code, stdout, stderr } = await auth(folder, "init");
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toContain("the disk is full");
      expect(readFileSync(join(folder, "flowsheet.yaml"), "utf8")).toBe(old);
    } finally {
      spawnSync("umount", [folder]);
    }
  });

  test("K10 an output that nobody takes", async () => {
    const folder = createFolder({ "flowsheet.yaml": "workflows: a\n" });
    const child = spawn(process.execPath, [BIN, "auth", "init"], {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stdout.destroy();
    let stderr = "";
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect(code).toBe(2);
    expect(stderr).toContain("could not be shown, so nothing was changed");
    expect(readFileSync(join(folder, "flowsheet.yaml"), "utf8")).toBe("workflows: a\n");
  });

  test("K10 an output that is full", async () => {
    if (!existsSync("/dev/full")) return;
    const folder = createFolder();
    const full = openSync("/dev/full", "w");
    const { status } = spawnSync(process.execPath, [BIN, "auth", "init"], {
      cwd: folder,
      stdio: ["ignore", full, "pipe"],
    });
    closeSync(full);
    expect(status).toBe(2);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("auth view", () => {
  const PLAIN = "hunter2-hunter2-hunter2-hunter2-hunter2";
  const text = `authentication:
  api_keys:
    plain: {key: ${PLAIN}, permissions: [read], user_id: p}
    held: {key: env:HELD, permissions: [Read], user_id: h}
    gone: {key: env:GONE, permissions: [read], user_id: g}
  jwt: {secret: "${PLAIN}-jwt"}
  supabase: {url: "https://x.example", anon_key: ${PLAIN}-anon, jwt_secret: ${PLAIN}-sb}
`;
  const HELD = "held-key-held-key-held-key-held-key-1";

  test("K30 shows no part of a secret, whatever the format", async () => {
    const folder = createFolder({ "flowsheet.yaml": text });
    for (const args of [["view"], ["view", "--json"]]) {
      const { code, stdout, stderr } = await flowsheet(["auth", ...args], {
        cwd: folder,
        env: { HELD, FLOWSHEET_API_KEY_X: `${PLAIN}-env` },
      });
      expect(code).toBe(1);
      for (const secret of [PLAIN, `${PLAIN}-jwt`, `${PLAIN}-anon`, `${PLAIN}-sb`, HELD, `${PLAIN}-env`])
        for (let at = 0; at + 8 <= secret.length; at++)
          expect(stdout + stderr).not.toContain(secret.slice(at, at + 8));
      expect(stdout).toContain("plain");
      expect(stdout).toMatch(/fsk_… [0-9a-f]{8}/);
      expect(stdout).toContain("config-bad-permission");
    }
  });

  test("K31 --show-keys shows what can be known, and warns when others read it", async () => {
    const folder = createFolder({ "flowsheet.yaml": text });
    const { stdout, stderr } = await flowsheet(["auth", "view", "--show-keys"], {
      cwd: folder,
      env: { HELD },
    });
    expect(stdout).toContain(PLAIN);
    expect(stdout).toContain(HELD);
    expect(stdout).toMatch(/gone +variable not set/);
    expect(stdout).not.toContain(`${PLAIN}-jwt`);
    expect(stderr).toContain("warning: keys are written to a file or another program");
  });

  test("of a digest says that the key cannot be recovered", async () => {
    const folder = createFolder();
    await auth(folder, "init");
    const { code, stdout, stderr } = await auth(folder, "view", "--show-keys");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout.match(/cannot be recovered/g)).toHaveLength(4);
  });
});

test("auth view of a file that is no YAML says only that", async () => {
  const { code, stdout } = await auth(createFolder({ "flowsheet.yaml": "authentication: [\n" }), "view");
  expect(code).toBe(1);
  expect(stdout.split("\n", 1)).toEqual([expect.stringMatching(/^error config-bad-yaml: /)]);
  expect(stdout).not.toContain("No API keys");
});

describe("auth token and wrong usage", () => {
  const JWT = "authentication:\n  jwt: {secret: env:FLOWSHEET_JWT_SECRET}\n";

  test("mints a token", async () => {
    const folder = createFolder({
      "flowsheet.yaml": JWT,
      ".env": `FLOWSHEET_JWT_SECRET=${"s".repeat(40)}\n`,
    });
    const { code, stdout } = await auth(
      folder,
      "token",
      "--user",
      "ada",
      "--permission",
      "execute",
      "--json",
    );
    expect(code).toBe(0);
    const { token } = JSON.parse(stdout) as { token: string };
    const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    expect(claims).toMatchObject({ sub: "ada", permissions: ["execute"] });
    expect(claims.exp - claims.iat).toBe(3_600);
  });

  test("says when a token cannot live as long as is asked", async () => {
    const folder = createFolder({
      "flowsheet.yaml": JWT.replace("}", ", expiry_hours: 1}"),
      ".env": `FLOWSHEET_JWT_SECRET=${"s".repeat(40)}\n`,
    });
    const { code, stderr } = await auth(folder, "token", "--minutes", "90");
    expect(code).toBe(0);
    expect(stderr).toContain("note: flowsheet.yaml takes tokens of 60 minutes at most: this one ends then\n");
    expect((await auth(folder, "token")).stderr).not.toContain("at most");
  });

  test.each([
    [["token"], "accepts no tokens"],
    [["token", "--permission", "raed"], 'did you mean "read"?'],
    [["inti"], "did you mean flowsheet auth init?"],
    [[], "needs to know what to do"],
    [["view", "--force"], "auth view has no option --force"],
    [["init", "--show-keys"], "auth init has no option --show-keys"],
  ])("%j", async (args, message) => {
    const folder = createFolder({ "flowsheet.yaml": "authentication: {}\n" });
    const { code, stdout, stderr } = await auth(folder, ...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
  });
});

describe("validate of the configuration", () => {
  test("K29 an unknown section is wrong usage, with a suggestion", async () => {
    const folder = createFolder({ "flowsheet.yaml": "" });
    const { code, stderr } = await flowsheet(
      ["validate", "--config", "flowsheet.yaml", "--section", "authentcation"],
      { cwd: folder },
    );
    expect(code).toBe(2);
    expect(stderr).toContain('did you mean "authentication"?');
  });

  test("findings fail; warnings only with --strict", async () => {
    const folder = createFolder({ "flowsheet.yaml": "server: {prot: 1}\nexecution: {max_steps: 0}\n" });
    const check = (...args: readonly string[]) =>
      flowsheet(["validate", "--config", "flowsheet.yaml", ...args], { cwd: folder });
    expect((await check()).code).toBe(1);
    expect((await check("--section", "server")).code).toBe(0);
    expect((await check("--section", "server", "--strict")).code).toBe(1);
    const { stdout } = await check("--format", "json");
    expect(JSON.parse(stdout)).toMatchObject({
      valid: false,
      errors: 1,
      warnings: 1,
      diagnostics: [
        {
          code: "config-unknown-key",
          file: "flowsheet.yaml",
          line: 1,
          column: 10,
          field: "server.prot",
          help: 'did you mean "port"?',
        },
        { code: "config-bad-value", line: 2, column: 24, field: "execution.max_steps", cell: null },
      ],
      graphs: [],
    });
    expect((await check("--format", "github")).stdout).toContain("::error file=flowsheet.yaml,line=2");
  });

  test("other options and sheets do not go with it", async () => {
    const folder = createFolder({ "flowsheet.yaml": "", "a.csv": CLEAN });
    for (const args of [
      ["--section", "server", "a.csv"],
      ["--section", "server", "--fix"],
      ["--section", "server", "--format", "sarif"],
    ])
      expect((await flowsheet(["validate", ...args], { cwd: folder })).code, args.join()).toBe(2);
    // With a sheet, --config names the project of the sheet.
    expect((await flowsheet(["validate", "--config", "flowsheet.yaml", "a.csv"], { cwd: folder })).code).toBe(
      0,
    );
  });
});
