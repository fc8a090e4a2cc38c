import { addMembers } from "./json-members.js";

export interface JoinedPackage {
  readonly text: string;
  /** In the words of the command's output. */
  readonly added: readonly string[];
  /** The scripts with our text, from this or an earlier call. */
  readonly scripts: ReadonlySet<string>;
  readonly packages: ReadonlySet<string>;
}

type Names = { readonly [name: string]: string };
interface Manifest {
  readonly [key: string]: unknown;
  readonly scripts?: Names;
  readonly dependencies?: Names;
  readonly devDependencies?: Names;
}

/** Keys that `npm install` writes into an empty folder. */
const NPM_OWN: ReadonlySet<string> = new Set(["dependencies", "devDependencies"]);

/** Completes a package.json that only `npm install` has written, and keeps its entries. Null for any other. */
export function completePackage(text: string, ours: string): string | null {
  const own = parsed(text);
  const wanted = parsed(ours);
  if (own === null || wanted === null || !Object.keys(own).every((key) => NPM_OWN.has(key))) return null;
  const { dependencies, devDependencies } = own;
  const whole = {
    ...wanted,
    dependencies: { ...wanted.dependencies, ...dependencies },
    devDependencies: { ...wanted.devDependencies, ...devDependencies },
  };
  return `${JSON.stringify(whole, null, 2)}\n`;
}

const TOOLS: readonly (readonly [script: string, tools: readonly string[]])[] = [
  ["types", ["typescript", "@types/node"]],
  ["test", ["vitest"]],
];

/**
 * Adds the missing dependency and scripts, and the tools of added scripts. Existing keys keep their values. Null when
 * the text is not a usable package.json.
 */
export function joinPackage(text: string, ours: string): JoinedPackage | null {
  const own = parsed(text);
  const wanted = parsed(ours);
  if (own === null || wanted === null) return null;
  const packages = new Set(
    PACKAGE_LISTS.flatMap((list) => Object.keys((own[list] as Names | undefined) ?? {})),
  );
  const scripts = missing(own.scripts, wanted.scripts);
  const tools = TOOLS.flatMap(([script, names]) => (scripts.some(([name]) => name === script) ? names : []));
  const additions = {
    scripts,
    dependencies: missing(own.dependencies, wanted.dependencies).filter(([name]) => !packages.has(name)),
    devDependencies: missing(own.devDependencies, wanted.devDependencies).filter(
      ([name]) => tools.includes(name) && !packages.has(name),
    ),
  };
  let joined = text;
  for (const [section, entries] of Object.entries(additions))
    joined = addMembers(joined, section, entries) ?? joined;
  // An object whose only key is reserved looks empty to our reader.
  if (parsed(joined) === null) return null;
  const isOurs = (name: string): boolean =>
    (own.scripts?.[name] ?? wanted.scripts?.[name]) === wanted.scripts?.[name];
  return {
    text: joined,
    added: Object.entries(additions).flatMap(([section, entries]) =>
      entries.map(([name]) => (section === "scripts" ? `the script ${name}` : name)),
    ),
    scripts: new Set(Object.keys(wanted.scripts ?? {}).filter(isOurs)),
    packages: new Set([...packages, ...additions.devDependencies.map(([name]) => name)]),
  };
}

const PACKAGE_LISTS = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];
const SECTIONS = [...PACKAGE_LISTS, "scripts"];

const missing = (own: Names = {}, wanted: Names = {}): readonly (readonly [string, string])[] =>
  Object.entries(wanted).filter(([name]) => !Object.hasOwn(own, name));

function parsed(text: string): Manifest | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    if (!isObject(value)) return null;
    return SECTIONS.every((section) => value[section] === undefined || isObject(value[section]))
      ? value
      : null;
  } catch {
    return null;
  }
}

const isObject = (value: unknown): value is Manifest =>
  typeof value === "object" && value !== null && !Array.isArray(value);
