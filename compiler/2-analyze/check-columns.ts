import type { Json, JsonSpot } from "../ir.js";
import {
  COLUMN_TYPES,
  isColumnType,
  meantColumnType,
  numberStyleFault,
  readDateFormat,
} from "./column-types.js";
import type { DraftNode } from "./draft.js";

/** What is wrong with how a reader is to read the columns of a CSV file. */
export interface ColumnFault {
  readonly name: string;
  readonly spot: JsonSpot;
  readonly expected: string;
  /** What was surely meant instead; null when nobody can say. */
  readonly meant: string | null;
}

const NONE: readonly ColumnFault[] = [];

/** The faults of one setting of `csv_reader`; of a value of a wrong kind its kind is reported. */
export function columnFaults({ settings }: DraftNode, name: string, spot: JsonSpot): readonly ColumnFault[] {
  if (name === "types") return (spot.entries ?? []).flatMap((entry) => typeFaults(entry.key, entry.spot));
  if (name === "date_format") return formatFaults(spot);
  const fault = name === "thousands" ? numberStyleFault(settings["decimal"], spot.value) : null;
  return fault === null ? NONE : [{ name, spot, expected: fault, meant: null }];
}

const words = COLUMN_TYPES.map((type) => JSON.stringify(type));
const EXPECTED = `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;

function typeFaults(column: string, spot: JsonSpot): readonly ColumnFault[] {
  const { value } = spot;
  if (isColumnType(value)) return NONE;
  const meant = typeof value === "string" ? meantColumnType(value) : null;
  const near = meant === null ? "" : `; did you mean ${JSON.stringify(meant)}?`;
  return [{ name: `types.${column}`, spot, expected: `${EXPECTED}${near}`, meant }];
}

function formatFaults(spot: JsonSpot): readonly ColumnFault[] {
  const { value } = spot;
  if (typeof value !== "string" || readDateFormat(value) !== null) return NONE;
  const meant = meantFormat(value);
  const near = meant === null ? "" : `; did you mean ${JSON.stringify(meant)}?`;
  const expected = `made of yyyy, MM and dd, and HH, mm and ss for a time, as in "dd.MM.yyyy"${near}`;
  return [{ name: "date_format", spot, expected, meant }];
}

/** Spreadsheets and other languages write `DD.MM.YYYY`, and months in small letters. */
function meantFormat(format: Json & string): string | null {
  const small = format.replaceAll("D", "d").replaceAll("Y", "y");
  if (readDateFormat(small) !== null) return small;
  const months = small.includes("M") ? small : small.replaceAll("m", "M");
  return readDateFormat(months) === null ? null : months;
}
