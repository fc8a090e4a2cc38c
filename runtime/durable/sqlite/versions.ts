import type { Json } from "../../graph/contract/contract.js";
import type { VersionRow } from "../rows.js";
import type { Database } from "./database.js";

/** By the last run that began with each, or that was moved to it. */
export const NEWEST_FIRST = "ORDER BY seen DESC, version";

/** Graphs of code are kept without texts. */
const NO_TEXTS = "null";
/** Long texts are not read for it. */
const HAS_NO_TEXTS = `(octet_length(texts) = ${NO_TEXTS.length} AND texts = '${NO_TEXTS}')`;

/**
 * Belongs to the transaction that writes the run which names it: else it could be forgotten in between.
 * The texts are made only when they are missing.
 */
export function keepVersion(
  database: Database,
  { version, graph, sheet, contract, seen }: Omit<VersionRow, "texts">,
  textsOf: () => Json,
): void {
  const known = database.first(`SELECT ${HAS_NO_TEXTS} AS bare FROM versions WHERE version = ?`, version);
  const texts = known?.["bare"] === 0 ? NO_TEXTS : JSON.stringify(textsOf());
  if (known === null || texts !== NO_TEXTS)
    database.run(
      "INSERT INTO versions VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET texts = excluded.texts",
      ...[version, graph, sheet, contract, texts, seen],
    );
  // As a rule it is the newest one, and nothing is written.
  database.run(
    `UPDATE versions SET seen = ? WHERE version = ? AND seen < ? AND version <> (SELECT version FROM versions
       WHERE graph = ? ${NEWEST_FIRST} LIMIT 1)`,
    ...[seen, version, seen, graph],
  );
}

/** What no run of these graphs names goes, but for the newest version of each. */
export function forgetVersions(database: Database, graphs: Iterable<string>): void {
  for (const graph of graphs)
    database.run(
      `DELETE FROM versions WHERE graph = ? AND version <> (SELECT version FROM versions WHERE graph = ?
         ${NEWEST_FIRST} LIMIT 1) AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.version = versions.version)`,
      ...[graph, graph],
    );
}
