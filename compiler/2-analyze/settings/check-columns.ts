import { oneEdit } from "../../diagnostics/suggest.js";
import type { Json, JsonSpot } from "../../ir.js";
import {
  COLUMN_TYPES,
  type ColumnType,
  isColumnType,
  numberStyleFault,
  readDateFormat,
} from "../../types/column-types.js";
import type { DraftNode } from "../draft.js";

/** A fault in how a reader is to read the columns of a CSV file. */
export interface ColumnFault {
  readonly name: string;
  readonly spot: JsonSpot;
  readonly expected: string;
  /** The value that was surely meant; null when nobody can say. */
  readonly meant: string | null;
}

/** The faults of one setting of `csv_reader`; of a value of a wrong kind its kind is reported. */
export function columnFaults({ settings }: DraftNode, name: string, spot: JsonSpot): readonly ColumnFault[] {
  if (name === "types") return (spot.entries ?? []).flatMap((entry) => typeFaults(entry.key, entry.spot));
  if (name === "date_format") return formatFaults(spot);
  const fault = name === "thousands" ? numberStyleFault(settings["decimal"], spot.value) : null;
  return fault === null ? [] : [{ name, spot, expected: fault, meant: null }];
}

const words = COLUMN_TYPES.map((type) => JSON.stringify(type));
const EXPECTED = `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;

function typeFaults(column: string, spot: JsonSpot): readonly ColumnFault[] {
  const { value } = spot;
  if (isColumnType(value)) return [];
  const meant = typeof value === "string" ? meantColumnType(value) : null;
  return [{ name: `types.${column}`, spot, expected: EXPECTED, meant }];
}

function formatFaults(spot: JsonSpot): readonly ColumnFault[] {
  const { value } = spot;
  if (typeof value !== "string" || readDateFormat(value) !== null) return [];
  const meant = meantFormat(value);
  const expected = 'made of yyyy, MM and dd, and HH, mm and ss for a time, as in "dd.MM.yyyy"';
  return [{ name: "date_format", spot, expected, meant }];
}

/** Spreadsheets and other languages write `DD.MM.YYYY`, and months in small letters. */
function meantFormat(format: Json & string): string | null {
  const small = format.replaceAll("D", "d").replaceAll("Y", "y");
  if (readDateFormat(small) !== null) return small;
  const months = small.includes("M") ? small : small.replaceAll("m", "M");
  return readDateFormat(months) === null ? null : months;
}

const SYNONYMS: ReadonlyMap<string, ColumnType> = new Map([
  ...["text", "str", "varchar"].map((word) => [word, "string"] as const),
  ...["int", "integer", "float", "double", "decimal", "num", "currency"].map(
    (word) => [word, "number"] as const,
  ),
  ...["bool", "yesno"].map((word) => [word, "boolean"] as const),
  ...["datetime", "timestamp", "day"].map((word) => [word, "date"] as const),
]);

/** The type that a word of another language, or a misspelt one, stands for; null for any other. */
function meantColumnType(word: string): ColumnType | null {
  const plain = word.trim().toLowerCase();
  const near = COLUMN_TYPES.find((type) => type === plain || oneEdit(type, plain));
  return near ?? SYNONYMS.get(plain) ?? null;
}
