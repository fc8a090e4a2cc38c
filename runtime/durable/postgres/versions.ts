import type { Json } from "../../graph/contract/contract.js";
import type { VersionRow } from "../rows.js";
import type { Statements } from "./connect.js";

/** By the last run that began with each, or that was moved to it. */
export const NEWEST_FIRST = "ORDER BY seen DESC, version";

/** Graphs of code are kept without texts. */
const NO_TEXTS = "null";
/** Long texts are not read for it. */
const HAS_NO_TEXTS = `(octet_length(texts) = ${NO_TEXTS.length} AND texts = '${NO_TEXTS}')`;

/**
 * Belongs to the transaction that writes the run which names it: whoever forgets versions waits for its end.
 * The texts are made only when they are missing.
 */
export async function keepVersion(
  statements: Statements,
  { version, graph, sheet, contract, seen }: Omit<VersionRow, "texts">,
  textsOf: () => Json,
): Promise<void> {
  const known = await statements.first(
    `SELECT ${HAS_NO_TEXTS}::int AS bare FROM flowsheet.versions WHERE version = ? FOR KEY SHARE`,
    version,
  );
  const texts = known?.["bare"] === 0 ? NO_TEXTS : JSON.stringify(textsOf());
  if (known === null || texts !== NO_TEXTS)
    await statements.run(
      `INSERT INTO flowsheet.versions (version, graph, sheet, contract, texts, seen) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (version) DO UPDATE SET texts = excluded.texts`,
      ...[version, graph, sheet, contract, texts, seen],
    );
  await statements.run(SEEN, ...seenValues({ version, graph, seen }));
}

/** As a rule it is the newest one, and nothing is written. */
export const SEEN = `UPDATE flowsheet.versions SET seen = ? WHERE version = ? AND seen < ? AND version <> (
    SELECT version FROM flowsheet.versions WHERE graph = ? ${NEWEST_FIRST} LIMIT 1)`;
export const seenValues = ({ version, graph, seen }: Pick<VersionRow, "version" | "graph" | "seen">) =>
  [seen, version, seen, graph] as const;

/** A version with all that it needs: nobody forgets it before the end of the transaction. */
export const KNOWN = `SELECT 1 FROM flowsheet.versions WHERE version = ? AND NOT ${HAS_NO_TEXTS} FOR KEY SHARE`;

/** What no run of these graphs names goes, but for the newest version of each. */
export async function forgetVersions(statements: Statements, graphs: readonly string[]): Promise<void> {
  // A run that is just beginning holds its version, which is passed over. The second look sees runs that began since.
  const rows = await statements.all(
    `SELECT version FROM flowsheet.versions WHERE graph = ANY (?::text[]) AND ${IS_UNUSED}
       ORDER BY version FOR UPDATE SKIP LOCKED`,
    graphs,
  );
  if (rows.length === 0) return;
  await statements.run(
    `DELETE FROM flowsheet.versions WHERE version = ANY (?::text[]) AND ${IS_UNUSED}`,
    rows.map(({ version }) => String(version)),
  );
}

const IS_UNUSED = `version <> (SELECT other.version FROM flowsheet.versions AS other
    WHERE other.graph = versions.graph ORDER BY other.seen DESC, other.version LIMIT 1)
  AND NOT EXISTS (SELECT 1 FROM flowsheet.runs WHERE runs.version = versions.version)`;
