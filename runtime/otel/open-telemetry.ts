import { ConfigurationError, type Project } from "../config/folders.js";
import { isMapping } from "../graph/values/values.js";
import type { Environment } from "../host.js";
import { missingText, requirePackage } from "../optional-packages.js";
import type { Telemetry } from "./contract.js";
import { OPT_IN } from "./names.js";
import { type Api, createTelemetry } from "./telemetry.js";

const PACKAGE = "@opentelemetry/api";

/**
 * The telemetry of a project: null unless `telemetry` asks for it, or the process has registered where spans go. Until
 * then the package is not loaded.
 */
export function openTelemetry(
  { configuration, file, root }: Pick<Project, "configuration" | "file" | "root">,
  env: Environment,
): Telemetry | null {
  const { telemetry: written } = configuration;
  const section = isMapping(written) ? written : {};
  const isWished = written === true || (isMapping(written) && section["enabled"] !== false);
  if (!isWished && (written !== undefined || !isRegistered())) return null;
  const api = requirePackage(PACKAGE, root) as Api | null;
  if (api === null) {
    if (!isWished) return null;
    throw new ConfigurationError(file ?? "flowsheet.yaml", `telemetry is on: ${missingText([PACKAGE])}`);
  }
  const optIn = (env["OTEL_SEMCONV_STABILITY_OPT_IN"] ?? "").split(",").map((word) => word.trim());
  const content = section["content"] === true;
  return createTelemetry(api, { content, genAi: optIn.includes(OPT_IN) });
}

/** The package keeps what is registered here, whatever copy of it has done so. */
function isRegistered(): boolean {
  const registry = (globalThis as { readonly [key: symbol]: unknown })[Symbol.for("opentelemetry.js.api.1")];
  return isMapping(registry) && registry["trace"] !== undefined;
}
