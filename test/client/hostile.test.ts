import fc from "fast-check";
import ts from "typescript";
import { expect, test } from "vitest";
import { type ClientWorkflow, emitClient } from "../../compiler/3-emit/client/emit-client.js";

const BAD = [
  "*/ evil()",
  `\`\${evil()}\``,
  '"; evil(); "',
  "\n}\nevil();",
  "__proto__",
  "[*]",
  "</script>",
  "\u2028",
  "#$&",
];
const text = fc.oneof(fc.constantFrom(...BAD), fc.string({ unit: "binary", maxLength: 8 }));

const { schema } = fc.letrec<{ schema: ClientWorkflow["inputs"] }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.record({ type: fc.constantFrom("string", "number", "integer", "boolean", "null", "evil") }),
    fc.record({ enum: fc.array(text, { maxLength: 3 }) }),
    fc.record({ anyOf: fc.array(tie("schema"), { maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie("schema"), { maxLength: 3 }) }),
    fc.record({ type: fc.constant("array"), items: tie("schema") }),
    fc.record({
      type: fc.constant("object"),
      properties: fc.dictionary(text, tie("schema"), { maxKeys: 3 }),
      required: fc.array(text, { maxLength: 3 }),
    }),
  ),
}));

const workflow = fc.record({
  ...{ name: text, description: text, inputs: schema, state: schema },
  questions: fc.uniqueArray(fc.record({ node: text, answer: schema }), {
    selector: ({ node }) => node,
    maxLength: 3,
  }),
});

/** The kinds of the statements, and whether the text is TypeScript at all. */
function read(module: string): readonly [faults: number, kinds: readonly ts.SyntaxKind[]] {
  const source = ts.createSourceFile("client.ts", module, ts.ScriptTarget.Latest);
  const { parseDiagnostics } = source as unknown as { readonly parseDiagnostics: readonly unknown[] };
  return [parseDiagnostics.length, source.statements.map(({ kind }) => kind)];
}

test("whatever a server tells of its workflows, a client is types and the code that every client has", () => {
  const plain = read(emitClient([], "x", "y"));
  const property = fc.property(
    fc.uniqueArray(workflow, { selector: ({ name }) => name, maxLength: 3 }),
    text,
    (workflows, from) => {
      expect(read(emitClient(workflows, from, from))).toEqual(plain);
    },
  );
  fc.assert(property, { numRuns: 300 });
});
