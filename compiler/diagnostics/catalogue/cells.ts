import { bare, error, list, type Meant, meant, quote } from "./rule.js";

/** The names that a placeholder may have. */
function placeholderHelp({ placeholder, inputs }: PlaceholderFault): string {
  const [head = ""] = placeholder.split(".");
  if (head === "error")
    return "{error} is there only in nodes that a failure leads to; elsewhere add error? to input_fields";
  if (inputs.length === 0) return `add ${quote(head)} to input_fields`;
  return `its ${inputs.length === 1 ? "input is" : "inputs are"} ${list(inputs)}`;
}

export interface PlaceholderFault {
  readonly placeholder: string;
  readonly inputs: readonly string[];
  /** Set for a name of a formula. */
  readonly formula?: {
    /** An input whose name goes on with `-`. */
    readonly dashed: string | null;
    readonly isText: boolean;
    readonly isCell: boolean;
    /** The function of this name, with its values. */
    readonly called: string | null;
  };
}

/** The cure of a name in a formula that no input has. */
function nameHelp(p: PlaceholderFault & Meant, formula: NonNullable<PlaceholderFault["formula"]>): string {
  const { dashed, isText, isCell, called } = formula;
  if (dashed !== null)
    return `write '${bare(dashed)}' in quotes: a formula takes - for a subtraction; or name it in input_fields, as in ${bare(dashed).replaceAll("-", "_")}=${bare(dashed)}`;
  const close = meant(p);
  if (close !== null) return close;
  if (called !== null) return `it is a function: write ${called}`;
  if (isText) return 'text stands in double quotes: "text"';
  if (isCell) return "a formula knows fields, no cells of the spreadsheet: write the name of an input";
  if (/^(?:null|nil|none|undefined|empty)$/i.test(p.placeholder))
    return "write ISBLANK(name) to ask whether a field is not set";
  return placeholderHelp(p).replace("{error}", "error");
}

/** What cells hold. */
export const ofCells = {
  "bad-field": error<{ text: string; why: string }>(
    (p) => `${quote(p.text)} is not a field: ${p.why}`,
    () => "a field's name is a letter or _, then letters, digits, _ or -; a | separates fields",
  ),
  "bad-type": error<Meant & { type: string }>(
    (p) => (p.type === "" ? "no type follows the colon" : `${quote(p.type)} is not a type`),
    (p) =>
      meant(p) ??
      "types are string, number, boolean, object, list, any; string[] and so on; and choices in quotes: 'yes'/'no'",
  ),
  "bad-context": error<{ why: string }>(
    (p) => `the settings are not JSON: ${p.why}`,
    () =>
      'settings are written {"retry": 3, "description": "Sorts the mail"}, or each in a column of its own: context.retry',
  ),
  "bad-setting": error<{ setting: string; expected: string; found: string }>((p) =>
    p.found === "missing"
      ? `setting ${quote(p.setting)} is missing: it must be ${p.expected}`
      : `setting ${quote(p.setting)} must be ${p.expected}, not ${bare(p.found)}`,
  ),
  "unknown-placeholder": error<PlaceholderFault & Meant>(
    (p) =>
      p.formula === undefined
        ? `{${bare(p.placeholder)}} names no input of this node`
        : `${bare(p.placeholder)} names no input of this node`,
    (p) =>
      p.formula === undefined
        ? (meant(p) ?? `${placeholderHelp(p)}; write {{${bare(p.placeholder)}}} for the text itself`)
        : nameHelp(p, p.formula),
  ),
};
