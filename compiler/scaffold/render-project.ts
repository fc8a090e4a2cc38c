import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { kebabCase } from "../3-emit/names.js";
import { fillTemplate } from "./templates.js";

export const TEMPLATES = ["hello", "support", "server", "purchase-desk"] as const;
export type TemplateName = (typeof TEMPLATES)[number];

export const isTemplateName = (name: string): name is TemplateName =>
  (TEMPLATES as readonly string[]).includes(name);

export interface ProjectOptions {
  readonly templates: string;
  readonly template: TemplateName;
  readonly name: string;
  /** The version of flowsheet for package.json, or `file:` and a path. */
  readonly source: string;
}

export interface Step {
  readonly command: string;
  readonly meaning: string;
}

const FIRST: {
  readonly [T in TemplateName]: {
    readonly graph: string;
    readonly given: { readonly [field: string]: string | number };
  };
} = {
  hello: { graph: "Hello", given: { name: "ada lovelace" } },
  support: { graph: "Support", given: { customer: "Ada", question: "Where is my parcel?" } },
  "purchase-desk": { graph: "Terms", given: { count: 2, price: 300 } },
  server: { graph: "Triage", given: { subject: "Checkout is down", body: "Nobody can pay" } },
};

const inShell = (value: string | number): string =>
  /^\w+$/.test(String(value)) ? String(value) : `"${value}"`;

/** A script that the user has defined otherwise is replaced by its command. */
export function stepsOf(
  template: TemplateName,
  isScript: (name: string) => boolean = () => true,
): readonly Step[] {
  const { graph, given } = FIRST[template];
  const inputs = Object.entries(given).map(([name, value]) => `--input ${name}=${inShell(value)}`);
  const script = (name: string, command: string, instead: string): string =>
    isScript(name) ? command : `npx flowsheet ${instead}`;
  const serve: readonly Step[] = [
    { command: "npx flowsheet auth init", meaning: "make keys for callers" },
    { command: "node_modules/.bin/flowsheet-server", meaning: "serve it over HTTP" },
  ];
  const secret: Step = {
    command: "node -p \"'PURCHASE_SECRET=' + crypto.randomUUID()\" > .env",
    meaning: "make the secret that messages are signed with",
  };
  const compile: Step = {
    command: script("compile", "npm run compile", "compile"),
    meaning: "write typed TypeScript to generated/",
  };
  const isDesk = template === "purchase-desk";
  return [
    { command: "npm install", meaning: "get flowsheet and the tools" },
    {
      command: script("validate", "npm run validate", "validate --strict"),
      meaning: "find every problem of the sheets",
    },
    { command: `npx flowsheet run --graph ${graph} ${inputs.join(" ")}`, meaning: "run the sheet" },
    ...(isDesk ? [] : [compile]),
    { command: script("test", "npm test", "test"), meaning: "run the tests" },
    { command: "npx flowsheet studio", meaning: "see the sheets in a browser, and run them" },
    ...(isDesk ? [secret] : []),
    ...(template === "server" || isDesk ? serve : []),
  ];
}

export function renderProject(options: ProjectOptions): ReadonlyMap<string, string> {
  const { templates, template, name, source } = options;
  const { graph, given } = FIRST[template];
  const entries = Object.entries(given).map(([field, value]) => `${field}: ${JSON.stringify(value)}`);
  const filling = {
    name,
    package: packageName(name),
    source,
    steps: stepsOf(template),
    graph,
    given: `{ ${entries.join(", ")} }`,
  };
  const files = new Map<string, string>();
  const example = join(templates, "../examples", template);
  for (const folder of [example, ...["every", template].map((one) => join(templates, "project", one))]) {
    for (const file of folder === example ? filesIn(folder).filter(isWritten) : filesIn(folder)) {
      const path = relative(folder, file).split(sep).join("/");
      const text = path.endsWith(".hbs") ? fillTemplate(folder, path, filling) : readFileSync(file, "utf8");
      files.set(nameInProject(path), text);
    }
  }
  if (![...files.keys()].some((path) => path.endsWith(".ts"))) files.delete("tsconfig.json");
  return files;
}

/** What was left behind by trying the example out is no part of it. */
const isWritten = (path: string): boolean => /\.(?:csv|yaml)$/.test(path);

/** Examples lie in folders; files at the top are required. */
export const isSample = (path: string): boolean => path.includes("/");

const FALLBACK = "workflows";
/** npm's limit for names. */
const LONGEST = 214;
/** npm refuses to install a package into a package of the same name. */
const OTHERS: ReadonlySet<string> = new Set(["flowsheet", "typescript", "vitest"]);

/** npm accepts only some names. */
function packageName(name: string): string {
  const plain = kebabCase(name).slice(0, LONGEST).replace(/-$/, "") || FALLBACK;
  return OTHERS.has(plain) ? `${plain}-${FALLBACK}` : plain;
}

/** `npm pack` would obey a .gitignore in the templates, so it is stored without the dot. */
const nameInProject = (path: string): string =>
  path.replace(/\.hbs$/, "").replace(/^gitignore$/, ".gitignore");

const filesIn = (folder: string): readonly string[] =>
  (existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [])
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
