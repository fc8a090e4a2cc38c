import { jsonText } from "../../compiler/diagnostics/json-text.js";
import { createPaint } from "../../compiler/diagnostics/paint.js";
import { visible } from "../../compiler/diagnostics/visible.js";
import { createRedactor } from "../../runtime/runs/redact.js";
import { checkPackages, checkVersions } from "../doctor/check-machine.js";
import { checkProviders } from "../doctor/check-models.js";
import { checkConfigurationFile, checkFolders } from "../doctor/check-project.js";
import { checkRuns } from "../doctor/check-runs.js";
import { checkAgents, checkGenerated, checkReminding, checkSheets } from "../doctor/check-sheets.js";
import { type Findings, problem } from "../doctor/finding.js";
import { EXIT, UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { openProject } from "../project.js";
import { countText } from "../report.js";
import { createCancellation } from "../run/cancellation.js";

/** `flowsheet doctor`: looks at all that a run needs, and says what to do about what is wrong. */
export async function doctor(context: Context, _operands: readonly string[], given: Given): Promise<number> {
  // Loading agents may leave unhandled rejections: they are reported, and end nothing.
  const cancellation = createCancellation(context);
  const findings = await look(context);
  cancellation.end();
  const problems = findings.filter(({ status }) => status === "problem").length;
  const warnings = findings.filter(({ status }) => status === "warning").length;
  if (given.flag("json")) {
    const checks = findings.map(({ about, status, message, help }) => ({ about, status, message, help }));
    context.stdout.write(jsonText({ ok: problems === 0, problems, warnings, checks }));
  } else {
    const shown = context.quiet ? findings.filter(({ status }) => status !== "ok") : findings;
    const counts = `${countText(problems, "problem")}, ${countText(warnings, "warning")}`;
    context.stdout.write(`${findingsText(shown, context)}${context.quiet ? "" : `${counts}\n`}`);
  }
  return problems > 0 ? EXIT.findings : EXIT.done;
}

async function look(context: Context): Promise<Findings> {
  const machine = checkVersions(process.version);
  let project: ReturnType<typeof openProject>;
  try {
    project = openProject(context);
  } catch (error) {
    // A folder or an encoding that the command line names is wrong usage, here as everywhere.
    if (!(error instanceof UsageError) || !error.message.includes("configuration")) throw error;
    return [...machine, problem("configuration", error.message, "run: flowsheet validate --config …")];
  }
  const { findings, read } = await checkSheets(context, project);
  const redact = createRedactor(context.env, project);
  const all = [
    ...machine,
    ...checkPackages(project.root),
    ...checkConfigurationFile(context, project),
    ...checkFolders(context, project),
    ...checkProviders(context, project),
    ...(await checkAgents(context, project)),
    ...checkReminding(context, project),
    ...findings,
    ...(await checkGenerated(context, project, read)),
    ...(await checkRuns(context, project)),
  ];
  return all.map((one) => ({ ...one, message: redact(one.message) }));
}

const STYLE = { ok: "help", warning: "warning", problem: "error" } as const;

function findingsText(findings: Findings, { stdout, color }: Context): string {
  const paint = createPaint(color(stdout));
  const width = Math.max(0, ...findings.map(({ about }) => about.length));
  return findings
    .map(({ about, status, message, help }) => {
      const head = `${paint(STYLE[status], status.padEnd(7))}  ${about.padEnd(width)}  ${visible(message)}\n`;
      return help === null
        ? head
        : `${head}${" ".repeat(11 + width)}${paint("help", "= help:")} ${visible(help)}\n`;
    })
    .join("");
}
