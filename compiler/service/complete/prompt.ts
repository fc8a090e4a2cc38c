import { isFieldCharacter } from "../../1-parse/cells/name-rules.js";
import { isSpace } from "../../1-parse/text/white-space.js";
import { fieldsByName } from "../../2-analyze/by-name.js";
import type { GraphIR, ReadIR } from "../../ir.js";
import { isUnknown } from "../../types/field-type.js";
import { formatType } from "../../types/format-type.js";
import { isRunValue } from "../../types/run-values.js";
import { type Offer, type Offers, say } from "./completion.js";
import { fieldOffers } from "./fields.js";
import { type Here, setHere } from "./here.js";

/** The first name of a placeholder: inputs of the node, then fields that could be among them. Null outside of braces. */
export function promptOffers(here: Here): Offers | null {
  const { text, at } = here.caret;
  const start = nameStart(text, at);
  if (start === null) return null;
  let end = at;
  while (end < text.length && isFieldCharacter(text[end] as string)) end++;
  let close = end;
  while (isSpace(text, close)) close++;
  const isClosed = text[end] === "." || text[close] === "}";
  const write = ({ label }: Offer): string => (isClosed ? label : `${label}}`);
  return { start, end, offers: nameOffers(here), write };
}

/** Where the name begins that the caret stands in, behind one brace; `{{` is a brace as text. */
function nameStart(text: string, at: number): number | null {
  let start = at;
  while (start > 0 && isFieldCharacter(text[start - 1] as string)) start--;
  if (text[start - 1] === "$") start--;
  let brace = start - 1;
  while (brace >= 0 && isSpace(text, brace)) brace--;
  if (text[brace] !== "{") return null;
  let braces = 1;
  while (text[brace - braces] === "{") braces++;
  return braces % 2 === 0 ? null : start;
}

/** The inputs of the node, then fields that could be among them. */
export function nameOffers(here: Here): readonly Offer[] {
  const { view, graph, node, index } = here;
  if (graph === null || node === null) return [];
  const own = node.reads.map((read) => inputOffer(graph, read));
  const names = new Set(node.reads.flatMap(({ param, field }) => [param, field]));
  // A failure brings it: no input is needed.
  if (!names.has("error") && setHere(view, graph)(index)?.has("error") === true) {
    names.add("error");
    own.push({ label: "error", kind: "field", detail: "string, set", rank: 0 });
  }
  const others = fieldOffers(here, "").filter(({ label }) => !names.has(label));
  return [
    ...own,
    ...others.map((offer) => ({ ...offer, detail: () => lateDetail(say(offer.detail)), rank: 2 })),
  ];
}

const lateDetail = (detail: string): string => `${detail === "" ? "" : `${detail}, `}not among the inputs`;

function inputOffer(graph: GraphIR, { param, field, path, type, isSet }: ReadIR): Offer {
  const isRun = isRunValue(field);
  const known = type ?? (path.length > 0 ? undefined : fieldsByName(graph).get(field)?.type);
  const said = isRun ? "string" : known === undefined || isUnknown(known) ? null : formatType(known);
  const detail = [...(said === null ? [] : [said]), isSet ? "set" : "may be unset"].join(", ");
  const from = [field, ...path].join(".");
  const documentation = from === param ? "" : `It reads ${from}.`;
  return { label: param, kind: isRun ? "run-value" : "field", detail, documentation, rank: isSet ? 0 : 1 };
}
