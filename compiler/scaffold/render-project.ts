import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { kebabCase } from "../3-emit/names.js";
import { fillTemplate } from "./templates.js";

export const TEMPLATES = ["hello", "support", "server"] as const;
export type TemplateName = (typeof TEMPLATES)[number];

export const isTemplateName = (name: string): name is TemplateName =>
  (TEMPLATES as readonly string[]).includes(name);

export interface ProjectOptions {
  /** The folder of our templates. */
  readonly templates: string;
  readonly template: TemplateName;
  /** What the project is called: its folder's name. */
  readonly name: string;
  /** What its package.json says of this package: a version, or `file:` and a path. */
  readonly source: string;
}

/** A command to type, and what it is for. */
export interface Step {
  readonly command: string;
  readonly meaning: string;
}

const RUN: { readonly [T in TemplateName]: string } = {
  hello: 'npx flowsheet run --graph Hello --input name="ada lovelace"',
  support: 'npx flowsheet run --graph Support --input customer=Ada --input question="Where is my parcel?"',
  server: 'npx flowsheet run --graph Triage --input subject="Checkout is down" --input body="Nobody can pay"',
};

/** What to type in a project that was just made. */
export function stepsOf(template: TemplateName): readonly Step[] {
  const serve: readonly Step[] = [
    { command: "npx flowsheet auth init", meaning: "make keys for callers" },
    { command: "npx flowsheet serve", meaning: "serve it over HTTP" },
  ];
  return [
    { command: "npm install", meaning: "get flowsheet and the tools" },
    { command: "npm run validate", meaning: "find every problem of the sheets" },
    { command: RUN[template], meaning: "run the sheet" },
    { command: "npm run compile", meaning: "write typed TypeScript to generated/" },
    { command: "npm test", meaning: "run the tests" },
    ...(template === "server" ? serve : []),
  ];
}

/** The files of a new project, by their path inside it. */
export function renderProject(options: ProjectOptions): ReadonlyMap<string, string> {
  const { templates, template, name, source } = options;
  const filling = { name, package: kebabCase(name), source, steps: stepsOf(template) };
  const files = new Map<string, string>();
  for (const folder of ["every", template].map((one) => join(templates, "project", one))) {
    for (const file of filesIn(folder)) {
      const path = relative(folder, file).split(sep).join("/");
      const text = path.endsWith(".hbs") ? fillTemplate(folder, path, filling) : readFileSync(file, "utf8");
      files.set(nameInProject(path), text);
    }
  }
  return files;
}

/** Packing would take a .gitignore of ours for its own, so it has another name here. */
const nameInProject = (path: string): string =>
  path.replace(/\.hbs$/, "").replace(/^gitignore$/, ".gitignore");

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
