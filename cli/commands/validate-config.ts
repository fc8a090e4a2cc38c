import { visible } from "../../compiler/diagnostics/visible.js";
import { loadConfiguration } from "../../runtime/config/configuration.js";
import { type ConfigFinding, createFindings, meantText } from "../../runtime/config/findings.js";
import { CONFIG_NAME, locateIn, type Project, readProject } from "../../runtime/config/folders.js";
import { SECTIONS } from "../../runtime/config/schema.js";
import { remindFault } from "../../runtime/runs/reminders/remind-with.js";
import { EXIT, UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { shownPath, unreadable } from "../project.js";
import { formatOf, writeFindings } from "../report.js";

/** `flowsheet validate --config`: all problems of the configuration, or of one section. */
export async function validateConfiguration(context: Context, given: Given): Promise<number> {
  const format = formatOf(given);
  if (format === "sarif") throw new UsageError("--format sarif is for sheets", "use text, json or github");
  if (given.flags.some((flag) => ["--fix", "--select", "--dry-run"].includes(flag)))
    throw new UsageError("a configuration is mended by hand: --fix is for sheets");
  const section = sectionOf(given);
  const { file, checked, sources } = openConfiguration(context);
  const all = [...checked.findings, ...unknownReminder(context, file)];
  const findings = all.filter(({ path }) => section === null || isPartOf(path, section));
  const present = section === null || checked.present.includes(section);
  if (format !== "text" || findings.length > 0)
    await writeFindings({ diagnostics: findings, sources, graphs: [], nodes: 0 }, format, context);
  else if (!context.quiet) {
    const what = section === null ? visible(file) : `${visible(file)}, section ${section}`;
    context.stdout.write(`${what}: no problems\n`);
  }
  if (!present && findings.length === 0) context.note(`${file} has no section ${section}: the defaults hold`);
  if (section === null || section === "authentication") {
    for (const { name, message } of checked.notes)
      context.note(`the environment variable ${name} ${message}`);
  }
  const strict = given.flag("strict");
  return findings.some(({ severity }) => strict || severity === "error") ? EXIT.findings : EXIT.done;
}

/** Whether there is such an agent is a matter of the project, not of the file alone. */
export function unknownReminder(
  { cwd, config, env }: Pick<Context, "cwd" | "config" | "env">,
  file: string,
): readonly ConfigFinding[] {
  let project: Project;
  try {
    project = readProject(cwd, config, env);
  } catch {
    // What keeps the file from being read has its own finding.
    return [];
  }
  const fault = remindFault(project, env);
  const locate = locateIn(project.file ?? file);
  const findings = createFindings(file, (path, spot) => {
    const place = locate(path, spot);
    return place === null ? null : { ...place, file };
  });
  if (fault !== null) findings.error("config-bad-value", fault.path, { ...fault, effect: "stop" });
  return findings.list();
}

/** A problem of the whole file belongs to every section. */
const isPartOf = (path: ConfigFinding["path"], section: string): boolean =>
  path.length === 0 || path[0] === section;

function sectionOf(given: Given): string | null {
  const section = given.text("section");
  if (section === null || SECTIONS.some((name) => name === section)) return section;
  throw new UsageError(
    `the configuration has no section ${JSON.stringify(section)}`,
    meantText(section, SECTIONS) ?? `sections are ${SECTIONS.join(", ")}`,
  );
}

/** Reads and checks the configuration that `--config` names, or that is found upwards. */
export function openConfiguration(context: Context) {
  const { cwd, config, env } = context;
  let file: string | null = null;
  const show = (path: string): string => {
    file = shownPath(path, cwd);
    return file;
  };
  try {
    const checked = loadConfiguration({ cwd, named: config, env, show });
    const { shownText } = checked;
    const sources = new Map(file === null || shownText === null ? [] : [[file, shownText]]);
    if (file !== null) return { file: file as string, checked, sources };
  } catch (error) {
    throw unreadable(error, cwd);
  }
  throw new UsageError(`there is no ${CONFIG_NAME} here or above`, "name one with --config");
}
