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

/** A first run: the graph of a template, and what it is given. */
interface FirstRun {
  readonly graph: string;
  readonly given: { readonly [field: string]: string };
}

const FIRST: { readonly [T in TemplateName]: FirstRun } = {
  hello: { graph: "Hello", given: { name: "ada lovelace" } },
  support: { graph: "Support", given: { customer: "Ada", question: "Where is my parcel?" } },
  server: { graph: "Triage", given: { subject: "Checkout is down", body: "Nobody can pay" } },
};

const runOf = ({ graph, given }: FirstRun): string =>
  [
    `npx flowsheet run --graph ${graph}`,
    ...Object.entries(given).map(([name, value]) => `--input ${name}=${inShell(value)}`),
  ].join(" ");

const inProgram = (given: FirstRun["given"]): string =>
  `{ ${Object.entries(given)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(", ")} }`;

const inShell = (value: string): string => (/^\w+$/.test(value) ? value : `"${value}"`);

/** What to type in a project that was just made; a script that is another's is said as the command that it would be. */
export function stepsOf(
  template: TemplateName,
  isScript: (name: string) => boolean = () => true,
): readonly Step[] {
  const script = (name: string, command: string, instead: string): string =>
    isScript(name) ? command : `npx flowsheet ${instead}`;
  const serve: readonly Step[] = [
    { command: "npx flowsheet auth init", meaning: "make keys for callers" },
    { command: "node_modules/.bin/flowsheet-server", meaning: "serve it over HTTP" },
  ];
  return [
    { command: "npm install", meaning: "get flowsheet and the tools" },
    {
      command: script("validate", "npm run validate", "validate --strict"),
      meaning: "find every problem of the sheets",
    },
    { command: runOf(FIRST[template]), meaning: "run the sheet" },
    {
      command: script("compile", "npm run compile", "compile"),
      meaning: "write typed TypeScript to generated/",
    },
    { command: script("test", "npm test", "test"), meaning: "run the tests" },
    ...(template === "server" ? serve : []),
  ];
}

/** The files of a new project, by their path inside it. */
export function renderProject(options: ProjectOptions): ReadonlyMap<string, string> {
  const { templates, template, name, source } = options;
  const first = FIRST[template];
  const filling = {
    name,
    package: packageName(name),
    source,
    steps: stepsOf(template),
    graph: first.graph,
    given: inProgram(first.given),
  };
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

/** The files that show what a project may hold, beside those that make it one. */
export const isSample = (path: string): boolean => path.includes("/");

const FALLBACK = "workflows";
/** As npm counts. */
const LONGEST = 214;
/** What a project installs under these names is not itself. */
const OTHERS: ReadonlySet<string> = new Set(["flowsheet", "typescript", "vitest"]);

/** A folder's name as a package's that npm accepts. */
function packageName(name: string): string {
  const plain = kebabCase(name).slice(0, LONGEST).replace(/-$/, "") || FALLBACK;
  return OTHERS.has(plain) ? `${plain}-${FALLBACK}` : plain;
}

/** Packing would take a .gitignore of ours for its own, so it has another name here. */
const nameInProject = (path: string): string =>
  path.replace(/\.hbs$/, "").replace(/^gitignore$/, ".gitignore");

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
