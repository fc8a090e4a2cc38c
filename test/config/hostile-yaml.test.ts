import { describe, expect, test } from "vitest";
import { readYaml } from "../../runtime/config/yaml.js";
import { check, lines } from "./check.js";

const KEY = `sha256:${"a1".repeat(32)}`;

/** A key's entry around one line. */
const withKey = (line: string): string =>
  `authentication:\n  api_keys:\n    a:\n      ${line}\n      permissions: [read]\n      user_id: a\n`;

describe("YAML that is no part of a configuration", () => {
  const bomb = [
    "a: &a [x, x]",
    ...[..."bcdefghi"].map((name, at) => `${name}: &${name} [*${"abcdefgh"[at]}, *${"abcdefgh"[at]}]`),
  ];

  test.each([
    ["K18 an alias bomb", bomb.join("\n"), /alias/],
    ["K20 keys that stand twice", "server:\n  port: 1\n  port: 2\n", /unique/],
    ["K20 keys that stand twice in quotes", 'server: 1\n"server": 2\n', /unique/],
    ["K21 two documents", "a: 1\n---\nb: 2\n", /second document/],
    ["K22 a tag of another language", "a: !!js/function 'x'\n", /tag/],
    ["K22 a tag of nobody", "a: !secret value\n", /tag/],
    ["K23 an anchor inside itself", "a: &a [*a]\n", /alias/],
    ["K24 a merge", "a: &a {x: 1}\nb:\n  <<: *a\n", /merge/],
    ["K24 a merge without an alias", "b:\n  <<: {x: 1}\n", /merge/],
    ["a directive", "%YAML 1.1\n---\na: yes\n", /directive/],
    ["a directive for tags", "%TAG ! tag:x,2000:\n---\na: 1\n", /directive/],
    ["K25 more than 1 MB", `a: "${"x".repeat(1_000_000)}"\n`, /1 MB/],
    ["a key that is a list", "? [a]\n: 1\n", /key/],
  ])("%s is refused, with its place", (_, text, problem) => {
    const { configuration, findings } = check(text);
    expect(configuration).toBeNull();
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ code: "config-bad-yaml", message: expect.stringMatching(problem) });
    expect(findings[0]?.place?.line).toBeGreaterThan(0);
  });

  test("K19 deep nesting is refused again and again, and the process lives", () => {
    for (let round = 0; round < 20; round++) {
      for (const depth of [1_000, 1_500, 10_000, 100_000]) {
        const { findings } = check(`a: ${"[".repeat(depth)}${"]".repeat(depth)}`);
        expect(findings[0]?.message).toContain("nested deeper than 64");
      }
    }
  });

  test("K25 a large mapping is read in a moment", () => {
    const started = performance.now();
    const text = Array.from({ length: 60_000 }, (_, index) => `key${index}: 1`).join("\n");
    expect(check(text).findings).toHaveLength(60_000);
    // Comparing each key with each took minutes.
    expect(performance.now() - started).toBeLessThan(60_000);
  });

  test("what is wrong is never quoted: it may be a secret", () => {
    for (const text of [
      "key: *hunter2\n",
      "key: !hunter2 x\n",
      'key: "hunter2\n',
      "key: @hunter2\n",
      "key: [hunter2\n",
      "a: 1\n  hunter2: b\n c: 2",
    ]) {
      const result = readYaml(text);
      expect(JSON.stringify(result)).not.toContain("hunter2");
      expect(result).toHaveProperty("problem");
    }
  });
});

describe("keys that YAML does not read as text", () => {
  test.each([
    ["K26 digits", "key: 12345678901234567890123456789012"],
    ["K26 hexadecimal", "key: 0x10"],
    ["K26 beyond all numbers", "key: 1e400"],
    ["K26 true", "key: true"],
    ["K26 nothing", "key:"],
    ["K26 a list", "key: [a]"],
  ])("%s: the key is dead", (_, line) => {
    const { configuration, findings } = check(withKey(line));
    expect(configuration?.auth.keys).toEqual([]);
    expect(findings).toMatchObject([{ code: "config-bad-key", severity: "error", place: { line: 4 } }]);
  });

  test("K26 a number is told to be quoted", () => {
    expect(check(withKey("key: 123456789")).findings[0]?.help).toContain("quote this value");
  });
});

test.each([
  ["a list", "[]"],
  ["nothing", ""],
  ["text", "secret"],
  ["a number", "7"],
])("K27 api_keys as %s stops the start", (_, value) => {
  const checked = check(`authentication:\n  api_keys: ${value}\n`);
  expect(checked.configuration).toBeNull();
  expect(lines(checked)[0]).toMatch(/^error config-bad-value authentication\.api_keys 2:/);
});

test.each(["__proto__", "constructor", "prototype"])(
  "A26 a key named %s is an error, and grants nothing",
  (name) => {
    const text = `authentication:\n  api_keys:\n    ${name}:\n      key: "${KEY}"\n      permissions: [admin]\n      user_id: a\n`;
    const checked = check(text);
    expect(checked.configuration).toBeNull();
    expect(lines(checked)).toContain(`error config-reserved-name authentication.api_keys.${name} 3:5`);
    expect(Object.keys(Object.prototype)).toEqual([]);
  },
);
