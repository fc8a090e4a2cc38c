import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { formatText } from "../../compiler/diagnostics/format-text.js";
import { jsonText } from "../../compiler/diagnostics/json-text.js";
import { createPaint } from "../../compiler/diagnostics/paint.js";
import { createReport } from "../../compiler/diagnostics/report.js";
import { visible } from "../../compiler/diagnostics/visible.js";
import type { CheckedConfiguration } from "../../runtime/config/configuration.js";
import { readForEdit } from "../../runtime/config/edit.js";
import { withEnvFile } from "../../runtime/config/environment.js";
import { isMapping } from "../../runtime/graph/values/values.js";
import { openConfiguration } from "../commands/validate-config.js";
import { EXIT } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { alignColumns } from "../table.js";
import { targetFile } from "./change-files.js";
import { type KeyRow, keyRows } from "./key-rows.js";
import { inOrder } from "./keys-text.js";

type View = ReturnType<typeof viewOf>;

/** `flowsheet auth view`: the keys, masked, what else is configured, and what is wrong with it. */
export async function viewAuth(context: Context, given: Given): Promise<number> {
  const view = viewOf(context, given.flag("showKeys"));
  if (view.open && !context.stdout.isTerminal() && view.rows.some(({ value }) => value !== null))
    context.tell("warning:", "keys are written to a file or another program");
  context.stdout.write(given.flag("json") ? viewJson(view) : viewText(view, context));
  return view.findings.some(({ severity }) => severity === "error") ? EXIT.findings : EXIT.done;
}

function viewOf(context: Context, open: boolean) {
  const { file, checked, sources } = openConfiguration(context);
  const path = targetFile(context);
  const env = withEnvFile(context.env, dirname(path));
  const read = readForEdit(readFileSync(path, "utf8"));
  const section = "data" in read ? (read.data["authentication"] ?? null) : null;
  const entries = isMapping(section) ? section["api_keys"] : null;
  const plan = checked.configuration?.auth ?? null;
  const rows = inOrder(keyRows(entries, plan, env, Date.now()));
  const findings = checked.findings.filter(({ path: at }) => at.length === 0 || at[0] === "authentication");
  return { file, checked, sources, plan, rows, findings, section, isReadable: "data" in read, open };
}

function viewJson(view: View): string {
  const { file, sources, plan, rows, findings, open } = view;
  const { valid, errors, warnings, diagnostics } = createReport(findings, sources, []);
  return jsonText({
    file,
    mode: plan?.mode ?? null,
    keys: rows.map((row) => ({
      name: row.name,
      key: open && row.value !== null ? row.value : row.masked,
      kept: row.kept,
      permissions: row.permissions,
      user_id: row.userId,
      roles: row.roles,
      graphs: row.graphs,
      expires_at: row.expiresAt,
      in_force: row.inForce,
    })),
    jwt: plan?.jwt == null ? null : { algorithm: plan.jwt.algorithm },
    identity: plan?.identity == null ? null : { url: plan.identity.url },
    public_endpoints: plan?.publicEndpoints ?? [],
    valid,
    errors,
    warnings,
    diagnostics,
  });
}

function viewText(view: View, context: Context): string {
  const { file, checked, rows, section, isReadable, open } = view;
  const paint = createPaint(context.color(context.stdout));
  // A file that is no YAML has no keys to show.
  if (!isReadable) return findingsText(view, context);
  const head =
    section === null
      ? `${visible(file)} has no section authentication: flowsheet auth init makes one`
      : `${visible(file)}: authentication is ${modeText(checked)}`;
  const blocks = [
    [paint("strong", head)],
    rows.length === 0 ? ["No API keys."] : table(rows, open),
    settingLines(checked),
  ];
  const text = blocks.filter((lines) => lines.length > 0).map((lines) => `${lines.join("\n")}\n`);
  return `${[...text, findingsText(view, context)].join("\n")}`;
}

function modeText({ configuration }: CheckedConfiguration): string {
  if (configuration === null) return "not in force: the configuration has errors";
  return { on: "on", off: "off: everybody may do everything", bypass: "bypassed on this machine" }[
    configuration.auth.mode
  ];
}

const HEADER = ["name", "key", "permissions", "user", "expires", ""];

function table(rows: readonly KeyRow[], open: boolean): readonly string[] {
  const cells = rows.map((row) => [
    visible(row.name),
    keyText(row, open),
    visible(`${row.permissions.join(", ")}${row.graphs === null ? "" : ` on ${row.graphs.join(", ")}`}`),
    visible([row.userId ?? "-", ...row.roles.map((role) => `role:${role}`)].join(", ")),
    visible(row.expiresAt ?? "never"),
    row.inForce ? "" : "not in force",
  ]);
  return alignColumns([HEADER, ...cells]);
}

function keyText(row: KeyRow, open: boolean): string {
  if (open && row.value !== null) return visible(row.value);
  if (open && row.kept === "digest") return "cannot be recovered: only its digest is kept";
  return row.masked ?? (row.kept === "variable" ? "variable not set" : "missing");
}

function settingLines({ configuration }: CheckedConfiguration): readonly string[] {
  if (configuration === null) return [];
  const { jwt, identity, publicEndpoints } = configuration.auth;
  return [
    ...(jwt === null ? [] : [`tokens: ${jwt.algorithm}, at most ${jwt.maxAgeSeconds / 3_600} hours old`]),
    ...(identity === null ? [] : [`tokens of ${visible(identity.url)}`]),
    `public: ${publicEndpoints.map(visible).join(" ") || "nothing"}`,
  ];
}

function findingsText(view: View, context: Context): string {
  if (view.findings.length === 0) return "No problems.\n";
  return formatText(view.findings, view.sources, { color: context.color(context.stdout) });
}
