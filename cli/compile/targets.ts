import { join, relative, resolve } from "node:path";
import { moduleNames } from "../../compiler/3-emit/names.js";
import { jsonText } from "../../compiler/diagnostics/json-text.js";
import type { GraphIR, Json } from "../../compiler/ir.js";
import { inputSchema, stateSchema } from "../../runtime/http/openapi/field-schema.js";
import { createOpenApi } from "../../runtime/http/openapi/openapi.js";
import { routes } from "../../runtime/http/routes/index.js";
import type { Workflow } from "../../runtime/workflows/catalogue.js";
import { type Served, servedWorkflows } from "../client/served.js";
import { EXIT, UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import { checkMade, MARK, writeMade } from "../output-file.js";
import type { Context } from "../process/context.js";
import { openProject, sheetsToRead } from "../project.js";
import { version } from "../version.js";

const MODULES_ONLY = ["clean", "watch", "types", "checkRuns"];

/** `flowsheet compile --target schema` and `--target openapi`: what other programs read, from the sheets. */
export async function compileTarget(
  context: Context,
  target: string,
  operands: readonly string[],
  given: Given,
): Promise<number> {
  const wrong = MODULES_ONLY.find((name) => given.flag(name));
  if (wrong !== undefined) {
    const flag = given.flags.find((one) => one.replaceAll("-", "") === wrong.toLowerCase()) ?? `--${wrong}`;
    throw new UsageError(`${flag} is about modules, so it does not go with --target ${target}`);
  }
  const served = await servedWorkflows(context);
  if (served === null) return EXIT.findings;
  const project = openProject(context);
  const workflows = await chosen(context, served, operands, given);
  const out = given.text("out") ?? (workflows.length === 1 ? "-" : relative(context.cwd, project.generated));
  const files = target === "openapi" ? [openApiOf(workflows)] : schemasOf(workflows);
  if (out === "-") {
    if (given.flag("check")) throw new UsageError("--check needs files", "name their folder with --out");
    context.stdout.write(files.length === 1 ? files[0]!.text : jsonText(files.map(({ json }) => json)));
    return EXIT.done;
  }
  const written = files.map(({ name, text }) => ({ out: join(out, name), text }));
  return given.flag("check") ? checkMade(written, context) : writeMade(written, context);
}

/** Those of the named sheets; all without names. */
async function chosen(
  context: Context,
  { workflows, root }: Served,
  operands: readonly string[],
  given: Given,
): Promise<readonly Workflow[]> {
  const csv = given.list("csv");
  if (operands.length === 0 && csv.length === 0) return workflows;
  const sheets = await sheetsToRead(context, openProject(context), { operands, csv });
  const pathOf = ({ sheet }: Workflow): string | null => (sheet === null ? null : resolve(root, sheet));
  const missing = sheets.find(({ path }) => !workflows.some((one) => pathOf(one) === path));
  if (missing !== undefined)
    throw new UsageError(
      `${missing.shown} is not served: it is no sheet of ${relative(context.cwd, root) || "."}`,
      "name a sheet of the project",
    );
  const paths = new Set(sheets.map(({ path }) => path));
  return workflows.filter((one) => paths.has(pathOf(one)));
}

interface Made {
  readonly name: string;
  readonly json: Json;
  readonly text: string;
}

const made = (name: string, json: Json): Made => ({ name, json, text: jsonText(json) });

/** A value fits the schema when a run may begin with it; `#/$defs/State` is what a completed run leaves. */
function schemasOf(workflows: readonly Workflow[]): readonly Made[] {
  const names = moduleNames(workflows.map(({ ir }) => ir));
  return workflows.map(({ name, ir }, i) =>
    made(`${names[i]}.schema.json`, {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $comment: `${MARK} from ${ir.file}`,
      title: name,
      ...describedBy(ir),
      $ref: "#/$defs/Input",
      $defs: { Input: inputSchema(ir), State: stateSchema(ir) },
    }),
  );
}

const describedBy = ({ nodes: [entry] }: GraphIR): { readonly description?: string } =>
  entry === undefined || entry.description === "" ? {} : { description: entry.description };

function openApiOf(workflows: readonly Workflow[]): Made {
  const document = createOpenApi(routes, { version, base: "", workflows });
  return made("openapi.json", { "x-generated": MARK, ...(document as { readonly [key: string]: Json }) });
}
