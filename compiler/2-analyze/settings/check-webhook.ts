import { locatedIn } from "../../1-parse/text/places.js";
import { Problems, type Reporter } from "../../diagnostics/collect.js";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { foldName } from "../../diagnostics/suggest.js";
import type { Json, JsonEntry, Row, SettingItem, Sheet } from "../../ir.js";
import {
  isHeaderList,
  isHookPath,
  variableIn,
  WEBHOOK_CHOICES,
  WEBHOOK_PARTS,
  webhookIn,
} from "../../types/webhook.js";
import { type Analysis, settingAt } from "../draft.js";
import { isAtEntry } from "./check-schedule.js";
import type { Checked } from "./checked.js";
import { reportUnknownEntry } from "./unknown-settings.js";

const SECRET = 'the name of an environment variable: "env:NAME"';

/** What each part must be; null for what it is. */
const parts: {
  readonly [part in (typeof WEBHOOK_PARTS)[number]]: (value: Json, of: Checked) => string | null;
} = {
  path: (value) =>
    typeof value === "string" && isHookPath(value)
      ? null
      : 'a path such as "/orders", of letters, digits, "-", "_", "." and "~"',
  verify: (value) => oneOf(WEBHOOK_CHOICES.verify, value),
  scheme: (value, of) =>
    verifyOf(of) === "hmac" ? oneOf(WEBHOOK_CHOICES.scheme, value) : 'left out unless "verify" is "hmac"',
  secret: (value, of) => {
    if (verifyOf(of) === "none") return 'left out beside "verify": "none"';
    return typeof value === "string" && variableIn(value) !== null ? null : SECRET;
  },
  headers: (value) =>
    isHeaderList(value) ? null : "a list of at most 20 names of headers, without those of credentials",
  answer: (value) => oneOf(WEBHOOK_CHOICES.answer, value),
};

const oneOf = (known: readonly string[], value: Json): string | null =>
  known.some((one) => one === value) ? null : known.map((one) => JSON.stringify(one)).join(" or ");

const partOf = ({ item }: Checked, part: string): Json | undefined =>
  item.spot.entries?.find(({ key }) => key === part)?.spot.value;

const verifyOf = (of: Checked): Json => partOf(of, "verify") ?? "hmac";

export function checkWebhook(checked: Checked): void {
  const { item, bad } = checked;
  const { entries } = item.spot;
  if (entries === undefined || !isAtEntry(checked)) return;
  for (const entry of entries) checkPart(checked, entry);
  if (partOf(checked, "path") === undefined) bad('{"path": "/orders", …}', { found: "one without a path" });
  if (partOf(checked, "secret") === undefined && verifyOf(checked) !== "none")
    bad(`beside "secret", ${SECRET}`, {
      name: "webhook.verify",
      found: `${JSON.stringify(verifyOf(checked))} without one`,
    });
}

function checkPart(checked: Checked, entry: JsonEntry): void {
  const { key, spot } = entry;
  if (!Object.hasOwn(parts, key)) {
    reportUnknownEntry(checked, entry, WEBHOOK_PARTS, "error");
    return;
  }
  const expected = parts[key as keyof typeof parts](spot.value, checked);
  // What stands where a secret is named may be the secret.
  const found = key === "secret" ? { found: "something else" } : {};
  if (expected !== null) checked.bad(expected, { name: `webhook.${key}`, spot, ...found });
}

/** Reports a path that an earlier graph of the sheet has. The first row of each graph says it. Linear. */
export function checkHookPaths({ sheet, problems }: Analysis, rows: readonly Row[]): void {
  const seen = new Map<string, Row>();
  for (const { row, item, path } of hooksIn(rows)) {
    const first = seen.get(path);
    if (first === undefined) seen.set(path, row);
    else reportTaken(problems, sheet, { row, item, path }, first.graph.name);
  }
}

interface Hook {
  readonly row: Row;
  readonly item: SettingItem;
  readonly path: string;
}

function hooksIn(rows: readonly Row[]): readonly Hook[] {
  return rows.flatMap((row) => {
    const item = row.settings.find(({ name }) => foldName(name) === "webhook");
    const path = item === undefined ? undefined : webhookIn(item.spot.value)?.path;
    return item === undefined || path === undefined ? [] : [{ row, item, path }];
  });
}

function reportTaken(problems: Reporter, sheet: Sheet, { row, item, path }: Hook, other: string): void {
  const { span, column } = settingAt(item);
  problems.report(
    "duplicate-webhook",
    { path, graph: row.graph.name, other },
    { ...locatedIn(sheet, span), graph: row.graph.name, node: row.node.name, column },
  );
}

interface OfSheet {
  readonly file: string;
  readonly sheet: Sheet | null;
}

/** Paths that an earlier sheet has. Each sheet alone has reported its own. */
export function hooksOfOthers(sheets: readonly OfSheet[]): readonly Diagnostic[] {
  const seen = new Map<string, string>();
  return sheets.flatMap(({ file, sheet }) => {
    if (sheet === null) return [];
    const problems = new Problems(file);
    const own = new Map<string, string>();
    for (const hook of hooksIn(firstRows(sheet))) {
      const other = seen.get(hook.path);
      if (other !== undefined) reportTaken(problems, sheet, hook, other);
      else if (!own.has(hook.path)) own.set(hook.path, placeOf(hook, file, sheet));
    }
    for (const [path, place] of own) seen.set(path, place);
    return problems.sorted();
  });
}

/** `Buy (orders.csv:2)` */
function placeOf({ row, item }: Hook, file: string, sheet: Sheet): string {
  const { place } = locatedIn(sheet, settingAt(item).span);
  return `${row.graph.name} (${file}${place === null ? "" : `:${place.line}`})`;
}

function firstRows({ rows }: Sheet): readonly Row[] {
  const known = new Set<string>();
  return rows.filter(({ graph: { name } }) => !known.has(name) && known.add(name));
}
