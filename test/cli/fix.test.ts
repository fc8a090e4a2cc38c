import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFolder, snapshot } from "./folder.js";
import { flowsheetProcess } from "./process.js";
import { flowsheet } from "./run.js";
import { ANSWER, ASK, CLEAN, HEADER, MERGED, sheetOf } from "./sheets.js";

const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, "utf16le");

/** Fixes a file of this content; answers how that ended, and the file's new content. */
async function fix(content: string | Uint8Array, ...args: readonly string[]) {
  const cwd = createFolder({ "a.csv": content });
  const ended = await flowsheet(["validate", "a.csv", "--fix", ...args], { cwd });
  expect(readdirSync(cwd)).toEqual(["a.csv"]);
  return { ...ended, bytes: readFileSync(join(cwd, "a.csv")) };
}

/** One error that has no fix: a target that is like no node. */
const UNKNOWN = CLEAN.replace("Answer,,input", "Nowhere,,input");

describe("--fix", () => {
  test("mends what is safe, says so, and tells the rest", async () => {
    const { code, stdout, stderr, bytes } = await fix(MERGED.replace("Answer,,input", "Nowhere,,input"));
    expect(bytes.toString()).toBe(UNKNOWN);
    expect([code, stderr]).toEqual([
      1,
      'fixed: a.csv:3:1 (A3): write "Support", the graph of the rows above\n',
    ]);
    expect(stdout).toContain("unknown-node");
    expect(stdout).not.toContain("missing-name");
  });

  test("leaves a sheet alone that needs nothing", async () => {
    const cwd = createFolder({ "a.csv": CLEAN });
    const before = snapshot(cwd);
    expect(await flowsheet(["validate", "--fix", "a.csv"], { cwd })).toMatchObject({ code: 0, stderr: "" });
    expect(snapshot(cwd)).toEqual(before);
  });

  test("does it once: a second time changes nothing", async () => {
    const cwd = createFolder({ "a.csv": MERGED });
    await flowsheet(["validate", "--fix", "a.csv"], { cwd });
    const before = snapshot(cwd);
    expect(await flowsheet(["validate", "--fix", "a.csv"], { cwd })).toMatchObject({ code: 0, stderr: "" });
    expect(snapshot(cwd)).toEqual(before);
  });

  test.each([
    ["CRLF line ends", MERGED.replaceAll("\n", "\r\n"), CLEAN.replaceAll("\n", "\r\n")],
    ["CR line ends", MERGED.replaceAll("\n", "\r"), CLEAN.replaceAll("\n", "\r")],
    ["mixed line ends", MERGED.replace("\n", "\r\n"), CLEAN.replace("\n", "\r\n")],
    ["no line end at the end", MERGED.trimEnd(), CLEAN.trimEnd()],
    ["a byte order mark", `\ufeff${MERGED}`, `\ufeff${CLEAN}`],
    ["UTF-16", utf16(MERGED), utf16(CLEAN)],
    ["UTF-16, big end first", utf16(MERGED).swap16(), utf16(CLEAN).swap16()],
    ["semicolons", MERGED.replaceAll(",", ";"), CLEAN.replaceAll(",", ";")],
    ["a sep line", `sep=;\n${MERGED.replaceAll(",", ";")}`, `sep=;\n${CLEAN.replaceAll(",", ";")}`],
    [
      "other cells, quoted and odd",
      `${MERGED}"Support","X\n""y""",,,,,,, é , "\n`,
      `${CLEAN}"Support","X\n""y""",,,,,,, é , "\n`,
    ],
  ])("keeps every other byte: %s", async (_name, before, after) => {
    const { bytes } = await fix(before);
    expect(bytes).toEqual(Buffer.from(after as string));
  });

  test("mends 10,000 rows in one go, and names the first of them", async () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => `,Node ${index},,,echo,,,,f${index},x`);
    const { stderr, bytes } = await fix(sheetOf(HEADER, ASK.replace("Answer", "Node 0"), ...rows));
    expect(bytes.toString().match(/^Support,Node/gm)).toHaveLength(10_000);
    expect(stderr.split("\n").length).toBeLessThan(110);
    expect(stderr).toContain("fixed: 9900 more in a.csv\n");
  });

  test("keeps the file's mode and follows a link", async () => {
    const cwd = createFolder({ "real/a.csv": MERGED });
    chmodSync(join(cwd, "real/a.csv"), 0o640);
    symlinkSync("real/a.csv", join(cwd, "link.csv"));
    expect((await flowsheet(["validate", "--fix", "link.csv"], { cwd })).code).toBe(0);
    expect(lstatSync(join(cwd, "link.csv")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(cwd, "real/a.csv"), "utf8")).toBe(CLEAN);
    expect(statSync(join(cwd, "real/a.csv")).mode & 0o777).toBe(0o640);
    expect(readdirSync(join(cwd, "real"))).toEqual(["a.csv"]);
  });

  test("a file that must not be written is left, exit 2", async () => {
    const cwd = createFolder({ "a.csv": MERGED });
    chmodSync(join(cwd, "a.csv"), 0o444);
    const { code, stdout, stderr } = await flowsheetProcess(["validate", "--fix", "a.csv"], {
      cwd,
      unprivileged: true,
    });
    expect([code, stderr]).toEqual([2, "error: cannot write a.csv: permission denied\n"]);
    expect(stdout).toContain("missing-name");
    expect(readFileSync(join(cwd, "a.csv"), "utf8")).toBe(MERGED);
  });

  test("standard input cannot be mended", async () => {
    const { code, stderr } = await flowsheet(["validate", "-", "--fix"], { input: MERGED });
    expect([code, stderr]).toEqual([2, "error: cannot write <stdin>: standard input is no file\n"]);
  });

  test("the data stays alone on stdout with --json", async () => {
    const { stdout } = await fix(MERGED, "--json");
    expect(JSON.parse(stdout)).toMatchObject({ valid: true, errors: 0 });
  });
});

describe("--fix=unsafe and --select", () => {
  const header = "graph_name,node_name,agent_type,next_node,input_fields,output_field,prompt";
  /** `answer` can only be `Answer`; `ecko` and `customr` are only similar to other names. */
  const SLIPS = sheetOf(
    header,
    "S,Ask,input,answer,,customer,Who?",
    "S,Answer,ecko,,customr,reply,Hi {customr}",
  );
  const safe = SLIPS.replace(",answer,", ",Answer,");
  const all = safe.replace("ecko", "echo").replaceAll("customr", "customer");
  const mend = async (...args: readonly string[]) => {
    const cwd = createFolder({ "a.csv": SLIPS });
    const ended = await flowsheet(["validate", ...args], { cwd });
    return { ...ended, text: readFileSync(join(cwd, "a.csv"), "utf8") };
  };

  test.each([
    ["--fix alone is safe, and what follows it is a file", ["--fix", "a.csv"], safe],
    ["--fix=safe", ["--fix=safe", "a.csv"], safe],
    ["--fix=unsafe", ["--fix=unsafe", "a.csv"], all],
    [
      "a code",
      ["a.csv", "--fix=unsafe", "--select", "misspelt-field"],
      SLIPS.replaceAll("customr", "customer"),
    ],
    [
      "codes, given twice",
      ["a.csv", "--fix=unsafe", "--select", "misspelt-field", "--select=unknown-node,unknown-agent"],
      all,
    ],
    [
      "codes in a list",
      ["a.csv", "--fix=unsafe", "--select", "misspelt-field, unknown-agent,unknown-node"],
      all,
    ],
    ["a code, and only what is safe", ["a.csv", "--fix", "--select", "unknown-node"], safe],
    ["nothing of a code", ["a.csv", "--fix", "--select", "misspelt-field"], SLIPS],
  ])("%s", async (_, args, wanted) => {
    expect((await mend(...args)).text).toBe(wanted);
  });

  test("tells which fixes were not safe", async () => {
    const { stderr } = await mend("--fix=unsafe", "a.csv");
    expect(stderr).toBe(
      'fixed: a.csv:2:13 (D2): write "Answer"\n' +
        'fixed: a.csv:3:10 (C3): write "echo" (unsafe)\n' +
        'fixed: a.csv:3:16 (E3): write "customer" (unsafe)\n',
    );
  });

  test("--dry-run shows them, too", async () => {
    const { stdout, text } = await mend("--fix=unsafe", "--dry-run", "a.csv");
    expect(text).toBe(SLIPS);
    expect(stdout).toContain("+S,Answer,echo,,customer,reply,Hi {customer}");
  });

  test("reports say which fix is safe", async () => {
    const { stdout } = await mend("a.csv", "--json");
    const fixes = JSON.parse(stdout).diagnostics.flatMap(
      ({ fix }: { fix: { safe: boolean } | null }) => fix?.safe ?? [],
    );
    expect(fixes).toEqual([true, false, false]);
    const sarif = JSON.parse((await mend("a.csv", "--format", "sarif")).stdout);
    const properties = sarif.runs[0].results.flatMap(
      ({ fixes = [] }: { fixes?: readonly { properties: object }[] }) => fixes.map((one) => one.properties),
    );
    expect(properties).toEqual([{ safe: true }, { safe: false }, { safe: false }]);
  });

  test.each([
    ["another mode", ["--fix=other", "a.csv"], "option '--fix[=<how>]' argument 'other' is invalid"],
    ["no mode", ["--fix=", "a.csv"], "option '--fix[=<how>]' argument '' is invalid"],
    ["an unknown code", ["--fix", "--select", "unknown-nod", "a.csv"], "did you mean unknown-node?"],
    ["a code like no other", ["--fix", "--select", "zzz", "a.csv"], "flowsheet explain lists all codes"],
    ["a choice of nothing", ["--select", "unknown-node", "a.csv"], "--select chooses what --fix mends"],
    ["an empty choice", ["--fix", "--select", ",", "a.csv"], "--select needs a code"],
  ])("%s is wrong", async (_, args, says) => {
    const { code, stderr, text } = await mend(...args);
    expect([code, text]).toEqual([2, SLIPS]);
    expect(stderr).toContain(says);
  });

  test("a test sheet is mended, too", async () => {
    const tests = sheetOf("case,expect_path", "one,ask>Anser", "short");
    const cwd = createFolder({ "a.csv": all, "a.test.csv": tests });
    const mended = async (...args: readonly string[]) => {
      const { stderr } = await flowsheet(["validate", "a.test.csv", ...args], { cwd });
      return [stderr, readFileSync(join(cwd, "a.test.csv"), "utf8")];
    };
    expect(await mended("--fix")).toEqual([
      'fixed: a.test.csv:2:5 (B2): write "Ask"\nfixed: a.test.csv:3:6 (B3): add the empty cell\n',
      sheetOf("case,expect_path", "one,Ask>Anser", "short,"),
    ]);
    expect(await mended("--fix=unsafe")).toEqual([
      'fixed: a.test.csv:2:9 (B2): write "Answer" (unsafe)\n',
      sheetOf("case,expect_path", "one,Ask>Answer", "short,"),
    ]);
  });
});

describe("--dry-run", () => {
  test("shows the difference, which patch understands, and changes nothing", async () => {
    const cwd = createFolder({ "a.csv": MERGED });
    const before = snapshot(cwd);
    const { code, stdout, stderr } = await flowsheet(["validate", "--fix", "--dry-run", "a.csv"], { cwd });
    expect(code).toBe(0);
    expect(stdout).toBe(
      `--- a.csv\n+++ a.csv\n@@ -1,3 +1,3 @@\n ${HEADER}\n ${ASK}\n-${ANSWER.replace("Support", "")}\n+${ANSWER}\n`,
    );
    expect(stderr).toContain('would fix: a.csv:3:1 (A3): write "Support"');
    expect(snapshot(cwd)).toEqual(before);
  });

  test("tells on stderr what would remain", async () => {
    const cwd = createFolder({ "a.csv": UNKNOWN });
    const { code, stdout, stderr } = await flowsheet(["validate", "--dry-run", "a.csv"], { cwd });
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("unknown-node");
  });

  test("reads standard input, too", async () => {
    const { code, stdout } = await flowsheet(["validate", "--dry-run", "-"], { input: MERGED });
    expect([code, stdout]).toEqual([0, expect.stringContaining(`+${ANSWER}\n`)]);
  });
});

describe("another encoding", () => {
  const latin = (text: string): Buffer => Buffer.from(text, "latin1");
  const french = CLEAN.replace("What is", "Où est");

  test("windows-1252 becomes UTF-8", async () => {
    const { code, stderr, bytes } = await fix(latin(french));
    expect(bytes.toString()).toBe(french);
    expect([code, stderr]).toEqual([0, "fixed: a.csv: write as UTF-8 what is windows-1252\n"]);
  });

  test("euro signs and curly quotes of windows-1252 are those", async () => {
    const { bytes } = await fix(
      Buffer.concat([Buffer.from(CLEAN.trimEnd()), Uint8Array.of(0x80, 0x93, 0x94, 0x0a)]),
    );
    expect(bytes.toString()).toBe(`${CLEAN.trimEnd()}€“”\n`);
  });

  test("--encoding names another one", async () => {
    const cyrillic = Buffer.concat([Buffer.from(CLEAN.trimEnd()), Uint8Array.of(0xc4, 0xe0, 0x0a)]);
    const { bytes } = await fix(cyrillic, "--encoding", "windows-1251");
    expect(bytes.toString()).toBe(`${CLEAN.trimEnd()}Да\n`);
  });

  test("other problems are mended at the same time", async () => {
    const { bytes } = await fix(latin(MERGED.replace("What is", "Où est")));
    expect(bytes.toString()).toBe(french);
  });

  test.each([
    ["bytes of two encodings", Buffer.concat([Buffer.from(french), latin("Support,é,,,echo,,,,x,y\n")]), []],
    ["a byte that windows-1252 does not have", Buffer.concat([latin(french), Uint8Array.of(0x81)]), []],
    ["a file with NUL bytes", Buffer.concat([latin(french), Uint8Array.of(0)]), []],
    ["UTF-8 that is called something else", Buffer.from(french), ["--encoding", "windows-1252"]],
    ["something that is no sheet", latin("é,è\n1,2\n"), []],
    ["damaged UTF-16", Buffer.concat([utf16(MERGED), Uint8Array.of(0x41)]), []],
  ])("is not guessed: %s", async (_name, content, args) => {
    const { code, bytes } = await fix(content, ...args);
    expect(code).toBeLessThan(2);
    expect(bytes).toEqual(content);
  });
});

describe("first-day mistakes", () => {
  const mistakes: readonly (readonly [
    name: string,
    sheet: string | Uint8Array,
    message: RegExp,
    fixed: string | null,
  ])[] = [
    [
      "a title row above the header",
      `Our support process,,,,,,,,,\n,,,,,,,,,\n${CLEAN}`,
      /^error missing-column: .*\n.*a\.csv:1:1 .*A1[\s\S]*the header seems to be in row 3: delete the rows above it/,
      `# Our support process,,,,,,,,,\n,,,,,,,,,\n${CLEAN}`,
    ],
    [
      "Excel's plain CSV",
      Buffer.from(CLEAN.replace("What is", "Où est"), "latin1"),
      /^error not-utf8: .*0xf9 at offset 154\n.*a\.csv:2:40 .*J2[\s\S]*CSV UTF-8[\s\S]*--encoding windows-1252/,
      CLEAN.replace("What is", "Où est"),
    ],
    [
      "curly quotes in JSON",
      sheetOf(HEADER, ASK, ANSWER.replace("Answer,,", "Answer,,{“retry”: 2}")),
      /^warning python-literal: .*curly quotes\n.*a\.csv:3:18 .*D3/,
      sheetOf(HEADER, ASK, ANSWER.replace("Answer,,", 'Answer,,"{""retry"": 2}"')),
    ],
    [
      "a node renamed in one place",
      CLEAN.replace("Support,Answer", "Support,Answers"),
      /^error unknown-node: next_node names a node that graph "Support" does not have\n.*a\.csv:2:13 .*C2[\s\S]*did you mean "Answers" \(row 3\)\?/,
      CLEAN.replace("Support,Answer", "Support,Answers").replace("Ask,Answer", "Ask,Answers"),
    ],
    [
      "a #REF!",
      CLEAN.replace("You asked: {question}", "#REF!"),
      /^error spreadsheet-error: .*#REF!\n.*a\.csv:3:41 .*J3[\s\S]*mend the formula/,
      null,
    ],
    [
      "merged graph_name cells",
      MERGED,
      /^error missing-name: graph_name is empty\n.*a\.csv:3:1 .*A3[\s\S]*merged cells are exported as empty ones: repeat "Support"/,
      CLEAN,
    ],
  ];

  test.each(mistakes)("%s", async (_name, sheet, message, fixed) => {
    const cwd = createFolder({ "a.csv": sheet });
    expect((await flowsheet(["validate", "a.csv"], { cwd })).stdout).toMatch(message);
    const { code } = await flowsheet(["validate", "--fix", "--strict", "a.csv"], { cwd });
    expect(code).toBe(fixed === null ? 1 : 0);
    expect(readFileSync(join(cwd, "a.csv"))).toEqual(Buffer.from(fixed ?? sheet));
  });

  test("a trailing empty column is none", async () => {
    const cwd = createFolder({ "a.csv": CLEAN.replaceAll("\n", ",\n") });
    expect(await flowsheet(["validate", "--strict", "a.csv"], { cwd })).toMatchObject({
      code: 0,
      stderr: "",
    });
  });
});
