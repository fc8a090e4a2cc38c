import { describe, expect, test } from "vitest";
import { putSection, readForEdit, replaceValues } from "../../runtime/config/edit.js";
import { setVariables } from "../../runtime/config/environment.js";

const SECTION = "authentication:\n  enabled: true\n  api_keys: {}\n";

const put = (text: string): string => {
  const result = putSection(text, "authentication", SECTION);
  if ("problem" in result) throw new Error(result.problem);
  return result.text;
};

describe("a section is put into a file", () => {
  test.each([
    ["nothing", "", SECTION],
    ["comments only", "# mine\n", `# mine\n\n${SECTION}`],
    ["settings", "a: 1 # one\n", `a: 1 # one\n\n${SECTION}`],
    ["no line end", "a: 1", `a: 1\n\n${SECTION}`],
    ["K17 CRLF", "a: 1\r\nb: 2\r\n", `a: 1\r\nb: 2\r\n\r\n${SECTION.replaceAll("\n", "\r\n")}`],
    ["a byte order mark", "\ufeffa: 1\n", `\ufeffa: 1\n\n${SECTION}`],
    ["a document's mark", "---\na: 1\n", `---\na: 1\n\n${SECTION}`],
    ["an empty section", "authentication:\nb: 2\n", `${SECTION}b: 2\n`],
    ["an empty section with a comment", "authentication: # soon\nb: 2\n", `${SECTION}b: 2\n`],
  ])("%s", (_, before, after) => {
    expect(put(before)).toBe(after);
  });

  test("K16 the old one goes; other sections, comments and odd layouts stay byte for byte", () => {
    const head =
      "# top\nserver:   {port:   81}   # odd\n\n'logging' : # q\n    loggers:   {}\n\n# about keys\n";
    const tail = "\n# about runs\nruns: &here   'kept'\n# end";
    const old = "authentication:\n  enabled: false\n  # inner\n  api_keys:\n    a:\n      key: x # last\n";
    expect(put(head + old + tail)).toBe(head + SECTION + tail);
  });

  test("a block of text at the end of the section goes whole", () => {
    expect(put("authentication:\n  jwt:\n    secret: |\n      a\n      b\nz: 1\n")).toBe(`${SECTION}z: 1\n`);
  });

  test.each(["{a: 1}", "{authentication: {enabled: true}, b: 2}", "a: 1\n...\n"])(
    "what cannot be changed safely is left alone: %j",
    (text) => {
      expect(putSection(text, "authentication", SECTION)).toHaveProperty("problem");
    },
  );

  test("a file with a fault is left alone, and told with its place", () => {
    expect(putSection("a: [1\nb: 2\n", "authentication", SECTION)).toMatchObject({
      problem: expect.stringMatching(/^\d+:\d+: /),
    });
  });
});

describe("values are replaced in their place", () => {
  const TEXT =
    "# c\nauthentication:\r\n  api_keys:\n    a: { key: 'old' , permissions: [read] } # keep\n    b:\n      key:   plain   # keep, too\n      expires_at: 2026-01-01T00:00:00\nserver: &s {port: 1}\n";

  test("K17 and nothing else changes", () => {
    const result = replaceValues(TEXT, [
      { path: ["authentication", "api_keys", "a", "key"], value: "new" },
      { path: ["authentication", "api_keys", "b", "key"], value: "sha256:1" },
    ]);
    expect(result).toEqual({ text: TEXT.replace("'old'", '"new"').replace("plain", '"sha256:1"') });
  });

  test("a block of text becomes one line", () => {
    const result = replaceValues("k: |\n  a\n  b\nz: 1\n", [{ path: ["k"], value: "v" }]);
    expect(result).toEqual({ text: 'k: "v"\nz: 1\n' });
  });

  test("a place that is not there is refused", () => {
    expect(replaceValues(TEXT, [{ path: ["authentication", "nobody"], value: "x" }])).toHaveProperty(
      "problem",
    );
  });

  test("names of other files' tricks do not reach into objects", () => {
    const result = replaceValues("__proto__:\n  key: a\n", [{ path: ["__proto__", "key"], value: "b" }]);
    expect("text" in result ? readForEdit(result.text) : result).not.toHaveProperty("key");
    expect(({} as { readonly key?: unknown }).key).toBeUndefined();
  });
});

describe("variables of a .env file", () => {
  test.each([
    ["", { A: "1" }, "A=1\n"],
    ["X=1", { A: "2" }, "X=1\nA=2\n"],
    ["# c\nexport A=old # note\nB='x y'\n", { A: "new", C: "3" }, "# c\nA=new\nB='x y'\nC=3\n"],
    ["A=1\r\nB=2\r\n", { A: "9" }, "A=9\r\nB=2\r\n"],
    ["AA=1\n", { A: "2" }, "AA=1\nA=2\n"],
  ])("%j", (before, values, after) => {
    expect(setVariables(before, values as { readonly [name: string]: string })).toEqual({ text: after });
  });

  test("a value over several lines that looks like the variable is left alone", () => {
    expect(setVariables('X="a\nA=1\nb"\n', { A: "2" })).toHaveProperty("problem");
  });
});
