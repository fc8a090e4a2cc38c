import type { CaseIR } from "../../compiler/2-analyze/tests/case-ir.js";
import type { Json } from "../../compiler/ir.js";
import { code, html, table } from "./html.js";

/** A case of a test sheet, with the name of its file. */
export interface CaseTold {
  readonly file: string;
  readonly one: CaseIR;
}

/** The cases of test sheets, told as examples. */
export function examples(cases: readonly CaseTold[]): string {
  if (cases.length === 0) return "";
  const column = (head: string, of: (one: CaseIR) => string) => ({
    head,
    cells: cases.map(({ one }) => of(one)),
  });
  const files = [...new Set(cases.map(({ file }) => file))].join(", ");
  return `<h2>Examples</h2>
${table(`What test sheets expect: ${files}`, [
  column("Example", ({ name }) => html(name)),
  column("Given", ({ given }) => pairs(given)),
  column("Answered", ({ answers }) =>
    pairs(Object.fromEntries([...answers].map(([node, visits]) => [node, last(visits)]))),
  ),
  column("Expected", expected),
])}`;
}

const last = (visits: readonly Json[]): Json => (visits.length === 1 ? (visits[0] ?? null) : visits);

const pairs = (values: { readonly [name: string]: Json }): string =>
  Object.entries(values)
    .map(([name, value]) => code(`${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`))
    .join("<br>");

function expected({ status, path, state, absent, error }: CaseIR): string {
  const parts = [
    status === null ? "" : html(status),
    path === null ? "" : `by ${html(path.join(" → "))}`,
    state === null ? "" : pairs(state.value as { readonly [name: string]: Json }),
    absent.length === 0 ? "" : `without ${absent.map(code).join(", ")}`,
    error === null
      ? ""
      : `error ${code([error.code, error.node].filter((one) => one !== null).join(" at "))}`,
  ];
  return parts.filter((part) => part !== "").join("<br>");
}
