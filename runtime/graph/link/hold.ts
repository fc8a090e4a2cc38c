import { itemOf } from "../../../compiler/types/field-type.js";
import { fits, readAs } from "../../../compiler/types/fits.js";
import type { FieldType, Json, RunValues, StateData, TakeSpec } from "../contract/contract.js";
import { type Misfit, MisfitError } from "../contract/errors.js";
import { dataOf } from "../values/values.js";
import type { Inputs, Output, PreparedNode } from "./table.js";

type Reader = (state: StateData, run: RunValues) => Inputs;

/** Checks the inputs of a node against their types. A node without types is left as it is. */
export function holdInputs(
  read: Reader,
  { takes = [] }: { readonly takes?: TakeSpec | readonly TakeSpec[] },
): Reader {
  const list: readonly TakeSpec[] = isList(takes) ? takes : [takes];
  if (list.length === 0) return read;
  return (state, run) => {
    const inputs = read(state, run) as { [param: string]: unknown };
    for (const take of list) {
      const value = inputs[take.param] as Json | undefined;
      if (value === undefined ? mayBeUnset(take) : fits(value, take.type)) continue;
      inputs[take.param] = converted(value, misfitOf(take, value));
    }
    return inputs;
  };
}

const isList = (takes: TakeSpec | readonly TakeSpec[]): takes is readonly TakeSpec[] => Array.isArray(takes);

/** Analysis reports whole fields that may be unset. */
const mayBeUnset = ({ path = [], optional = false }: TakeSpec): boolean => optional || path.length === 0;

function misfitOf({ param, field = param, path = [], type }: TakeSpec, value: Json | undefined): Misfit {
  const from = [field, ...path].join(".");
  const what = from === param ? `input "${param}"` : `input "${param}" (${from})`;
  return { what, type, value, item: { column: "input_fields", name: param } };
}

/** Checks a written value against the type of its output. */
export function holdOutput(
  { field, type }: Output,
  value: Json | undefined,
  { hasGaps }: PreparedNode,
): Json | undefined {
  if (type === undefined || value === undefined || fits(value, type)) return value;
  if (hasGaps && Array.isArray(value) && fits(withoutGaps(value), type)) return value;
  const item = { column: "output_field", name: field } as const;
  return converted(value, { what: `output "${field}"`, type, value, item });
}

/** A failed item has left null in the list. */
const withoutGaps = (list: readonly Json[]): readonly Json[] => list.filter((item) => item !== null);

/** Checks the result of one item of a loop against the item type of the output. Items are not converted. */
export function holdItem({ field, type }: Output, value: Json | undefined): void {
  const of = itemOf(type);
  if (of === null || value === undefined || value === null) return;
  const item = { column: "output_field", name: field } as const;
  if (!fits(value, of))
    throw new MisfitError({ what: `each item of output "${field}"`, type: of, value, item });
}

/** Checks a value that a node gives its sub-graph. */
export function holdGiven(value: Json, type: FieldType, place: Pick<Misfit, "what" | "item">): Json {
  return fits(value, type) ? value : converted(value, { ...place, type, value });
}

/** Converts text to data of the state, or throws the error. */
function converted(value: Json | undefined, misfit: Misfit): Json {
  const read = value === undefined ? undefined : dataOf(readAs(value, misfit.type));
  if (read === undefined) throw new MisfitError(misfit);
  return read;
}
