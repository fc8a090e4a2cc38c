import { describe, expect, test } from "vitest";
import { isEncoding } from "../../compiler/1-parse/text/encoding.js";
import { read, textAt } from "./read-sheet.js";

const TEXT = "graph_name,node_name,prompt\nG,Größe 😀,héllo\n";
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const utf16 = (text: string, little: boolean): Uint8Array =>
  Uint8Array.from([...text].flatMap((character) => [...Buffer.from(character, "utf16le")])).map(
    (byte, i, all) => (little ? byte : (all[i ^ 1] as number)),
  );
const join = (...parts: (Uint8Array | readonly number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...part]));

describe("encodings", () => {
  test.each<[string, Uint8Array]>([
    ["UTF-8", utf8(TEXT)],
    ["V04 UTF-8 with a byte order mark", join([0xef, 0xbb, 0xbf], utf8(TEXT))],
    ["UTF-16 LE with a byte order mark", join([0xff, 0xfe], utf16(TEXT, true))],
    ["UTF-16 BE with a byte order mark", join([0xfe, 0xff], utf16(TEXT, false))],
  ])("%s", (_, bytes) => {
    const { rows, found, sheet } = read(bytes);
    expect(found).toEqual([]);
    expect(rows[0]).toMatchObject({ node: { name: "Größe 😀" }, prompt: { text: "héllo" } });
    expect(sheet?.text).toBe(TEXT);
  });

  test("the byte order mark is no column of the first line", () => {
    expect(read(join([0xef, 0xbb, 0xbf], utf8("graph_name,node_name,x\nG,N,1\n"))).found).toEqual([
      "unknown-column 1:22 C1",
    ]);
  });

  test("windows-1252, when told", () => {
    const bytes = Uint8Array.from(Buffer.from("graph_name,node_name\nG,Größe \x80 \x93x\x94\n", "latin1"));
    const { rows, found } = read(bytes, "windows-1252");
    expect(found).toEqual([]);
    expect(rows[0]?.node.name).toBe("Größe € “x”");
  });

  test("a byte order mark beats what was told", () => {
    expect(read(join([0xef, 0xbb, 0xbf], utf8(TEXT)), "windows-1252").rows[0]?.node.name).toBe("Größe 😀");
    expect(read(join([0xff, 0xfe], utf16(TEXT, true)), "utf-8").rows[0]?.node.name).toBe("Größe 😀");
  });

  test("other encodings that the platform knows", () => {
    const bytes = join(utf8("graph_name,node_name\nG,"), [0x82, 0xa0], utf8("\n"));
    expect(read(bytes, "shift_jis").rows[0]?.node.name).toBe("あ");
    expect(isEncoding("shift_jis")).toBe(true);
    expect(isEncoding("windows-1252")).toBe(true);
    expect(isEncoding("klingon")).toBe(false);
  });
});

describe("not-utf8", () => {
  const latin = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, "latin1"));

  test.each<[string, Uint8Array, string, string]>([
    [
      "V07 a byte that begins nothing",
      join(utf8("graph_name,node_name\nG,A"), [0xff], utf8("B\n")),
      "2:4 B2",
      "byte 0xff at offset 24",
    ],
    [
      "a sequence cut short",
      join(utf8("graph_name,node_name\nG,"), [0xe2, 0x82], utf8("x\n")),
      "2:3 B2",
      "byte 0xe2 at offset 23",
    ],
    [
      "a surrogate",
      join(utf8("graph_name,node_name\nG,"), [0xed, 0xa0, 0x80], utf8("\n")),
      "2:3 B2",
      "byte 0xed at offset 23",
    ],
    [
      "an overlong form",
      join(utf8("graph_name,node_name\nG,x"), [0xc0, 0xaf], utf8("\n")),
      "2:4 B2",
      "byte 0xc0 at offset 24",
    ],
    [
      "past U+10FFFF",
      join(utf8("graph_name,node_name\nG,x"), [0xf5, 0x80], utf8("\n")),
      "2:4 B2",
      "byte 0xf5 at offset 24",
    ],
    ["at the very end", join(utf8("graph_name,node_name\nG,x"), [0xc3]), "2:4 B2", "byte 0xc3 at offset 24"],
    [
      "behind wide characters",
      join(utf8("graph_name,node_name\nG,é😀"), [0xfc], utf8("\n")),
      "2:6 B2",
      "byte 0xfc at offset 29",
    ],
    [
      "behind a byte order mark",
      join([0xef, 0xbb, 0xbf], utf8("graph_name,node_name\nG,x"), [0xfc], utf8("\n")),
      "2:4 B2",
      "byte 0xfc at offset 27",
    ],
    [
      "in the header",
      join(utf8("graph_name,node_name,#"), [0xfc], utf8("\nG,x,\n")),
      "1:23 C1",
      "byte 0xfc at offset 22",
    ],
    [
      "inside a quoted cell of two lines",
      join(utf8('graph_name,node_name,prompt\nG,x,"one\ntwo'), [0xfc], utf8('"\n')),
      "3:4 C2",
      "byte 0xfc at offset 40",
    ],
    [
      "half a unit of UTF-16",
      join([0xff, 0xfe], utf16("graph_name,node_name\nG,x\n", true), [0x41]),
      "3:1 null",
      "byte 0x41 at offset 52",
    ],
    [
      "a lone surrogate in UTF-16",
      join([0xff, 0xfe], utf16("graph_name,node_name\nG,x", true), [0x00, 0xd8], utf16("\n", true)),
      "2:4 B2",
      "byte 0x00 at offset 50",
    ],
  ])("%s", (_, bytes, place, what) => {
    const { problems, found } = read(bytes);
    expect(found).toContain(`not-utf8 ${place}`);
    expect(problems.find(({ code }) => code === "not-utf8")?.message).toContain(what);
  });

  test("one report a file, and everything else is found in the same run", () => {
    const text = "graph_name,node_name,prompt,inputs\nG,Größe,Grüße,größe\nG,Grüße,x,1st\n";
    const { found, rows, problems } = read(latin(text));
    expect(found).toEqual(["not-utf8 2:5 B2", "bad-field 3:11 D3"]);
    expect(rows.map(({ node }) => node.name)).toEqual(["Größe", "Grüße"]);
    expect(rows[0]?.inputs[0]?.field).toBe("größe");
    expect(problems[0]).toMatchObject({ severity: "error", fix: null, place: { endColumn: 6 } });
    expect(problems[0]?.help).toContain("CSV UTF-8");
    expect(problems[0]?.help).toContain("--encoding windows-1252");
  });

  test("valid text around a fault is read as UTF-8", () => {
    const bytes = join(utf8("graph_name,node_name\nG,é"), [0xfc], utf8("é\n"));
    const { rows, sheet, problems } = read(bytes);
    expect(rows[0]?.node.name).toBe("éüé");
    expect(textAt(sheet?.text ?? "", problems[0] ?? { place: null })).toBe("ü");
  });
});
