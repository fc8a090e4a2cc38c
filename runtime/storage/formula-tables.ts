import { readFileSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { decode } from "../../compiler/1-parse/text/encoding.js";
import { readHealthy } from "../../compiler/1-parse/text/records.js";
import { wayInside } from "../../compiler/files/inside.js";
import type { Delimiter } from "../../compiler/ir.js";
import type { FoundTable } from "../../compiler/world.js";
import { messageOf } from "../graph/contract/errors.js";
import { isAllowed, parseFileName } from "./file-name.js";

const MOST_BYTES = 10_000_000;

/** Reads tables of the data folder for formulas, each once. A run reads them again. */
export function createTableReader(folder: string): (name: string) => FoundTable {
  const known = new Map<string, FoundTable>();
  return (name) => {
    const found = known.get(name) ?? readTable(folder, name);
    known.set(name, found);
    return found;
  };
}

function readTable(folder: string, name: string): FoundTable {
  try {
    return readText(folder, parseFileName(name, ".csv"));
  } catch (thrown) {
    const { code } = thrown as { readonly code?: unknown };
    return { missing: code === "ENOENT" ? "there is no such file" : messageOf(thrown) };
  }
}

function readText(folder: string, parts: readonly string[]): FoundTable {
  const real = realpathSync(join(folder, ...parts));
  const way = wayInside(realpathSync(folder), real);
  if (way === null || !isAllowed(way.split(sep))) return { missing: "it leads out of the data folder" };
  const { size } = statSync(real);
  if (size > MOST_BYTES) return { missing: "it is larger than 10 MB" };
  const { text, fault } = decode(readFileSync(real));
  if (fault !== null) return { missing: "it is not in UTF-8" };
  const records = readHealthy(text, delimiterOf(text));
  return records === null ? { missing: "its quotes are out of place" } : { records };
}

/** The sign that most often stands in the first line. */
function delimiterOf(text: string): Delimiter {
  const [line = ""] = text.split(/\r?\n|\r/, 1);
  const count = (sign: string): number => line.split(sign).length;
  return ([",", ";", "\t"] as const).reduce((most, sign) => (count(sign) > count(most) ? sign : most));
}
