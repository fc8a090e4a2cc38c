import { constants } from "node:fs";
import { canWriteInto, kindOf, may } from "../../compiler/files/access.js";
import { loadConfiguration } from "../../runtime/config/configuration.js";
import { CONFIG_NAME, type Project } from "../../runtime/config/folders.js";
import type { Context } from "../process/context.js";
import { shownPath } from "../project.js";
import { countText } from "../report.js";
import { type Finding, type Findings, ok, problem, warning } from "./finding.js";

export function checkConfigurationFile({ cwd, config, env }: Context, { file }: Project): Findings {
  const about = "configuration";
  if (file === null) return [ok(about, `there is no ${CONFIG_NAME}: the defaults hold`)];
  const shown = shownPath(file, cwd);
  const { findings } = loadConfiguration({ cwd, named: config, env, show: () => shown });
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const cure = `run: flowsheet validate --config ${shown}`;
  if (errors > 0) return [problem(about, `${shown} has ${countText(errors, "error")}`, cure)];
  if (findings.length > 0)
    return [warning(about, `${shown} has ${countText(findings.length, "warning")}`, cure)];
  return [ok(about, shown)];
}

const FOLDERS = ["workflows", "agents", "prompts", "data", "generated", "runs"] as const;

/** Who writes into a folder, as messages name it; the others are only read. */
const WRITERS: { readonly [folder: string]: string } = {
  data: "agents that write files",
  generated: "flowsheet compile",
  runs: "runs that wait",
};

export function checkFolders({ cwd }: Context, project: Project): Findings {
  return FOLDERS.map((key) => {
    const writer = WRITERS[key] ?? null;
    const path = project[key];
    const shown = `${key}: ${shownPath(path, cwd)}`;
    const kind = kindOf(path);
    if (kind === null) return missing(project, key, shown);
    if (kind === "other")
      return problem(
        "folder",
        `${shown} is a file`,
        `move it away, or name another folder in ${CONFIG_NAME}`,
      );
    const mode = writer === null ? constants.R_OK : constants.R_OK | constants.W_OK;
    if (may(path, mode)) return ok("folder", writer === null ? shown : `${shown}, can be written`);
    const what = writer === null ? "cannot be read" : `cannot be written by ${writer}`;
    return problem("folder", `${shown} ${what}`, "give this user the permission, or name another folder");
  });
}

/**
 * A folder for output is created when it is needed. A folder for input is optional unless somebody named it.
 * With a configuration, every command needs the folder of the sheets.
 */
function missing(project: Project, key: (typeof FOLDERS)[number], shown: string): Finding {
  if (key === "workflows" && project.file !== null)
    return problem("folder", `${shown} is not there`, `make it, or name another folder in ${CONFIG_NAME}`);
  if (WRITERS[key] === undefined) {
    return project.configuration[key] !== undefined
      ? warning("folder", `${shown} is not there`, `make it, or change it in ${CONFIG_NAME}`)
      : ok("folder", `${shown} is not there, and need not be`);
  }
  if (canWriteInto(project[key])) return ok("folder", `${shown} will be made when it is needed`);
  const cure = "give this user the permission to write there, or name another folder";
  return problem("folder", `${shown} is not there and cannot be made`, cure);
}

/** True for a folder that can be searched. A problem with it is reported with the folders. */
export const isReadableFolder = (path: string): boolean =>
  kindOf(path) === "folder" && may(path, constants.R_OK);
