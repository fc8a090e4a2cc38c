import fc from "fast-check";

/** Pieces that sheets are made of, the dangerous ones more often than they deserve. */
const piece = fc.constantFrom(
  ..."G N A B a b 1 | : ; = . ? ' { } [ ] # / \\ - _".split(" "),
  ",",
  '"',
  '""',
  "\n",
  "\r\n",
  "\r",
  "\t",
  " ",
  "# ",
  "//",
  "é",
  "😀",
  "\0",
  "\ufeff",
  "\u2028",
  "#REF!",
  "{a}",
  "{{a}}",
  "{'a': True}",
  '{""a"": 1}',
  "a:strng",
  "__proto__",
);

/** Any text that a sheet's body could be. */
export const anyBody: fc.Arbitrary<string> = fc
  .array(piece, { maxLength: 60 })
  .map((pieces) => pieces.join(""));

const headers = [
  "graph_name,node_name,next_node,context,input_fields,output_field,prompt",
  "graph,node,inputs,outputs,context.x,description,context",
  "graph;node;inputs;prompt;context",
  '"graph_name"\t"node_name"\t"prompt"',
  "sep=;\nnode;graph;#private;inputs",
  "Title\ngraph,node,prompt",
  "# comment\n\ngraph,node,prompt,prompt,colour,",
];

/** A header, right or wrong, over any body. */
export const anySheet: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...headers), fc.constantFrom("\n", "\r\n", "\r"), anyBody)
  .map(([header, lineEnd, body]) => header.replaceAll("\n", lineEnd) + lineEnd + body);

/** The cells of a table, and how each is written. */
export interface Table {
  readonly text: string;
  readonly cells: readonly (readonly string[])[];
  readonly delimiter: "," | ";" | "\t";
}

const cell = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(""));

/** A well-formed file: every cell that must be quoted is, and some others are too. */
export function anyTable(cellText: fc.Arbitrary<string> = cell): fc.Arbitrary<Table> {
  const written = fc.record({ text: cellText, quoted: fc.boolean() });
  const record = fc.record({
    cells: fc.array(written, { minLength: 1, maxLength: 5 }),
    lineEnd: fc.constantFrom("\n", "\r\n", "\r"),
  });
  return fc
    .tuple(fc.array(record, { maxLength: 6 }), fc.constantFrom(",", ";", "\t"), fc.boolean())
    .map(([records, delimiter, ended]) => {
      const lines = records.map(({ cells, lineEnd }, i) => {
        const line =
          cells.map(({ text, quoted }) => writeCell(text, quoted, delimiter)).join(delimiter) || '""';
        return i < records.length - 1 || ended ? line + lineEnd : line;
      });
      return {
        text: lines.join(""),
        cells: records.map(({ cells }) => cells.map(({ text }) => text)),
        delimiter,
      };
    });
}

/** One cell as a file holds it. */
export function writeCell(text: string, quoted: boolean, delimiter: string): string {
  const must = /["\r\n]/.test(text) || text.includes(delimiter);
  return quoted || must ? `"${text.replaceAll('"', '""')}"` : text;
}
