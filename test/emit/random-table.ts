// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is what is tried here.
import fc from "fast-check";
import { quoted } from "../cli/sheets.js";
import { HOSTILE } from "./hostile-values.js";

const nasty = fc.constantFrom(...Object.values(HOSTILE).filter((value) => value.length < 200));
const piece = fc.oneof(
  { weight: 3, arbitrary: nasty },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "`",
      "${",
      "}",
      "\\",
      '"',
      "'",
      "*/",
      "/*",
      "//",
      "\n",
      "\r",
      "\u2028",
      "<!--",
      "{a}",
      "{b.c}",
      "{b}",
      "{error}",
      " ",
      "$",
      "@",
      "<",
    ),
  },
  { weight: 2, arbitrary: fc.string({ unit: "grapheme", maxLength: 12 }) },
);
/** Text for prompts, descriptions and settings: anything at all. */
const text = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(""));
/** Names that mostly pass, so that most tables are compiled. */
const name = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      "A",
      "B",
      "toString",
      "then",
      "END ",
      "class",
      "a-b",
      "日本",
      "`",
      "${x}",
      "*/",
      "//",
      "\\",
      '"',
      "'",
      "<b>",
      "node",
      "text",
      "inputs",
      "__proto_",
    ),
  },
  {
    weight: 1,
    arbitrary: text.map(
      (value) =>
        value
          .replace(/[\p{C}|]/gu, "")
          .trim()
          .slice(0, 40) || "N",
    ),
  },
);
const field = fc.oneof(
  {
    weight: 25,
    arbitrary: fc.constantFrom(
      "a",
      "b",
      "text",
      "at",
      "class",
      "state",
      "inputs",
      "node",
      "user-id",
      "größe",
      "toString",
      "then",
      "error",
      "arguments",
    ),
  },
  { weight: 1, arbitrary: name },
);
const json = fc.dictionary(
  fc.oneof({ weight: 30, arbitrary: name }, { weight: 1, arbitrary: fc.constant("__proto__") }),
  fc.oneof(text, fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<unknown>),
  {
    maxKeys: 3,
    noNullPrototype: true,
  },
);

const row = fc.record({
  name,
  next: fc.nat(5),
  failure: fc.nat(9),
  inputs: fc.array(fc.tuple(field, fc.constantFrom("", "?", ".x", ".0.y", "", "", "", ":string")), {
    maxLength: 3,
  }),
  outputs: fc.array(fc.tuple(field, fc.constantFrom("", ":number", ":string[]", ":'a`'/'${b}'")), {
    maxLength: 2,
  }),
  agent: fc.constantFrom("echo", "", "input", "Custom", "branching", "success"),
  context: fc.oneof(
    json.map((value) => JSON.stringify(value)),
    text,
  ),
  prompt: text,
  description: text,
});

/** Each field once. */
const list = (entries: readonly (readonly [field: string, rest: string])[]): string =>
  [...new Map(entries)].map((pair) => pair.join("")).join("|");

const HEADER =
  "graph_name,node_name,next_node,next_on_failure,agent_type,input_fields,output_field,context,prompt,description\n";
/** Files are UTF-8: half characters cannot stand in them. */
const wellFormed = (value: string): string => value.replace(/\p{Cs}/gu, "?");

/** A sheet that means to break out, most of the time without an error in it. */
export const randomTable: fc.Arbitrary<string> = fc
  .tuple(
    name,
    fc.uniqueArray(row, {
      minLength: 1,
      maxLength: 4,
      selector: (one) => one.name.toLowerCase().normalize("NFKC"),
    }),
  )
  .map(([graph, rows]) => {
    // Forward only: a cycle without an exit is no sheet.
    const target = (from: number, pick: number): string => rows[from + 1 + pick]?.name ?? "";
    const lines = rows.map((one, index) =>
      [
        graph.replace(/[/\\:]/g, "") || "G",
        one.name,
        target(index, one.next),
        target(index, one.failure),
        one.agent,
        list([["a", ""], ["b", "?"], ...one.inputs]),
        list(one.outputs.map(([to, type]) => [to, one.agent === "Custom" ? type : ""])),
        one.context,
        one.prompt,
        one.description,
      ]
        .map((cell) => quoted(wellFormed(cell)))
        .join(","),
    );
    return `${HEADER}${lines.join("\n")}\n`;
  });
