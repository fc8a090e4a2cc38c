import { locatedIn } from "../../1-parse/text/places.js";
import { foldName } from "../../diagnostics/suggest.js";
import type { Json, JsonEntry, Row } from "../../ir.js";
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
  for (const row of rows) {
    const item = row.settings.find(({ name }) => foldName(name) === "webhook");
    const path = item === undefined ? undefined : webhookIn(item.spot.value)?.path;
    if (item === undefined || path === undefined) continue;
    const first = seen.get(path);
    if (first === undefined) {
      seen.set(path, row);
      continue;
    }
    const { span, column } = settingAt(item);
    problems.report(
      "duplicate-webhook",
      { path, graph: row.graph.name, other: first.graph.name },
      { ...locatedIn(sheet, span), graph: row.graph.name, node: row.node.name, column },
    );
  }
}
