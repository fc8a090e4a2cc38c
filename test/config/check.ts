import { type CheckedConfiguration, checkConfiguration } from "../../runtime/config/configuration.js";

/** Checks a configuration's text; nothing is read from the disk. */
export function check(
  text: string,
  env: { readonly [name: string]: string } = {},
  now = Date.parse("2026-01-01T00:00:00Z"),
): CheckedConfiguration {
  return checkConfiguration({
    file: "/p/flowsheet.yaml",
    root: "/p",
    shown: "flowsheet.yaml",
    text,
    env,
    now,
  });
}

/** `error config-bad-value server.port 2:9`, one a finding. */
export function lines({ findings }: CheckedConfiguration): readonly string[] {
  return findings.map(
    ({ severity, code, column, place }) => `${severity} ${code} ${column} ${place?.line}:${place?.column}`,
  );
}
