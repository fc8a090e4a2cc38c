import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CONFIG_CODES } from "../../runtime/config/findings.js";
import { configurationSchema } from "../../runtime/config/schema.js";

const read = (name: string): string => readFileSync(new URL(`../../docs/${name}`, import.meta.url), "utf8");

type Schema = { readonly [name: string]: unknown };
const isSchema = (value: unknown): value is Schema => typeof value === "object" && value !== null;

/** The paths of all settings. */
function paths(schema: unknown, path: string): readonly string[] {
  if (!isSchema(schema)) return [path];
  const { def, shape } = schema;
  if (isSchema(shape))
    return Object.entries(shape).flatMap(([name, inner]) =>
      paths(inner, path === "" ? name : `${path}.${name}`),
    );
  if (isSchema(def) && "innerType" in def) return paths(def["innerType"], path);
  const value = isSchema(def) ? def["valueType"] : undefined;
  return isSchema(value) && isSchema(value["shape"]) ? paths(value, `${path}.<name>`) : [path];
}

test("the documentation has a row for every setting", () => {
  const text = read("configuration.md");
  const all = paths(configurationSchema, "");
  expect(all.length).toBeGreaterThan(40);
  for (const path of all) {
    const [section = "", ...rest] = path.split(".");
    const name = rest.join(".");
    const from = rest.length === 0 ? 0 : text.indexOf(`## \`${section}\``);
    expect(from, section).toBeGreaterThanOrEqual(0);
    const next = text.indexOf("\n## ", from + 1);
    const chapter = rest.length === 0 ? text : text.slice(from, next === -1 ? undefined : next);
    const wanted = name === "" ? section : name;
    const shown = wanted.startsWith("supabase.metadata_mapping.") ? "supabase.metadata_mapping" : wanted;
    expect(chapter, path).toContain(`\`${shown}`);
  }
});

test("the documentation names every code", () => {
  for (const code of Object.keys(CONFIG_CODES)) expect(read("authentication.md")).toContain(code);
});
