import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize, relative } from "node:path";
import { expect, test } from "vitest";

const root = process.cwd();

function sources(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith(".d.ts"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

/** The file that is meant by the name of what is made of it. */
function ourFile(path: string): string {
  const page = path.replace(/\.js$/, ".tsx");
  return existsSync(join(root, page)) ? page : path.replace(/\.js$/, ".ts");
}

function importsOf(file: string): readonly Import[] {
  const text = readFileSync(join(root, file), "utf8");
  const found = text.matchAll(
    /^(?:import|export)\s+(type\s+)?[^;]*?from\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm,
  );
  return [...found].map(([, type, statik, dynamic]) => {
    const specifier = statik ?? dynamic ?? "";
    const to = specifier.startsWith(".") ? ourFile(normalize(join(dirname(file), specifier))) : specifier;
    return { from: file, to, typeOnly: type !== undefined };
  });
}

const all = ["compiler", "runtime", "cli"].flatMap(sources).flatMap(importsOf);
const within = (path: string, ...rooms: readonly string[]): boolean =>
  rooms.some((room) => path === room || path.startsWith(`${room}/`));

/** Imports from a room of our own files that lead anywhere but to the rooms allowed. */
function strays(room: string, allowed: readonly string[]): readonly string[] {
  return all
    .filter(
      ({ from, to }) =>
        within(from, room) && /\.tsx?$/.test(to) && !within(to, room, "compiler/types", ...allowed),
    )
    .map(({ from, to }) => `${from} imports ${to}`);
}

const MODEL = ["compiler/ir.ts", "compiler/diagnostics"];

test.each([
  ["compiler/types", []],
  ["compiler/files", []],
  ["compiler/diagnostics", ["compiler/ir.ts", "compiler/world.ts"]],
  ["compiler/1-parse", MODEL],
  ["compiler/formula", MODEL],
  [
    "compiler/2-analyze",
    [
      ...[...MODEL, "compiler/world.ts", "compiler/definition.ts", "compiler/agent-name.ts"],
      ...["compiler/1-parse", "compiler/formula", "compiler/sql-statement.ts"],
    ],
  ],
  ["compiler/agent-files", ["compiler/ir.ts", "compiler/typescript.ts"]],
  [
    "compiler/3-emit",
    ["compiler/ir.ts", "compiler/definition.ts", "compiler/agent-files", "compiler/typescript.ts"],
  ],
  ["compiler/output", ["compiler/ir.ts", "compiler/files"]],
  [
    "compiler/scaffold",
    ["compiler/ir.ts", "compiler/agent-name.ts", "compiler/files", "compiler/1-parse", "compiler/3-emit"],
  ],
  ["compiler/type-check", [...MODEL, "compiler/1-parse", "compiler/2-analyze"]],
  [
    "compiler/service",
    [
      ...[...MODEL, "compiler/world.ts", "compiler/definition.ts", "compiler/agent-name.ts"],
      ...["compiler/1-parse", "compiler/formula", "compiler/2-analyze"],
      ...["compiler/compile.ts", "compiler/understand-tests.ts"],
    ],
  ],
  ["runtime/graph", ["compiler/ir.ts", "compiler/definition.ts"]],
  [
    "runtime/durable",
    [
      ...["runtime/graph", "runtime/runs", "runtime/workflows", "runtime/config"],
      ...["runtime/host.ts", "runtime/lazy.ts", "runtime/optional-packages.ts"],
      ...["compiler/ir.ts", "compiler/files", "compiler/diagnostics"],
    ],
  ],
  ["runtime/draw", [...MODEL, "compiler/2-analyze", "runtime/agents"]],
  [
    "runtime/studio/page",
    [
      ...[...MODEL, "compiler/1-parse", "compiler/2-analyze", "compiler/service"],
      ...["runtime/draw", "runtime/agents/facts.ts", "runtime/agents/about.ts"],
      ...["runtime/studio/world-data.ts", "runtime/studio/edits"],
    ],
  ],
])("%s imports only what it may", (room, allowed) => {
  expect(strays(room, allowed)).toEqual([]);
});

test("runtime/graph takes from the compiler types, what it does with types of fields, and what a graph is as data", () => {
  const values = all.filter(
    ({ from, to, typeOnly }) =>
      within(from, "runtime/graph") &&
      within(to, "compiler") &&
      !within(to, "compiler/types", "compiler/definition.ts") &&
      !typeOnly,
  );
  expect(values).toEqual([]);
});

test("runtime never imports what writes files for developers", () => {
  const rooms = [
    "compiler/3-emit",
    "compiler/agent-files",
    "compiler/output",
    "compiler/scaffold",
    "compiler/type-check",
    "cli",
  ];
  expect(all.filter(({ from, to }) => within(from, "runtime") && within(to, ...rooms))).toEqual([]);
});

test("agents import nothing but the graph; what loads agents is excepted", () => {
  const model = ["compiler/world.ts", "compiler/ir.ts", "compiler/agent-name.ts"];
  const allowed = ["runtime/graph", ...model, "compiler/sql-statement.ts"];
  expect(
    strays("runtime/agents", allowed).filter((stray) => !stray.startsWith("runtime/agents/custom/")),
  ).toEqual([]);
});

test("nothing imports the page of the Studio", () => {
  const room = "runtime/studio/page";
  expect(all.filter(({ from, to }) => !within(from, room) && within(to, room))).toEqual([]);
});

test("nothing imports cli", () => {
  expect(all.filter(({ from, to }) => !within(from, "cli") && within(to, "cli"))).toEqual([]);
});

test.each([
  ["csv-parse", ["compiler/1-parse"]],
  ["saxes", ["compiler/1-parse/workbook"]],
  ["hucre", ["cli/annotate", "cli/convert", "cli/commands"]],
  ["ts-morph", ["compiler/typescript.ts", "compiler/type-check"]],
  ["handlebars", ["compiler/scaffold"]],
  ["yaml", ["runtime/config", "runtime/prompts"]],
  ["express", ["runtime/http"]],
  ["@dagrejs/dagre", ["runtime/draw"]],
  ["diff", ["compiler/output"]],
  ["vscode-languageserver", ["cli/lsp"]],
  ["vscode-languageserver-textdocument", ["cli/lsp"]],
  ["libsql", ["runtime/durable/sqlite/driver.ts"]],
  ["@dbos-inc", ["runtime/durable/dbos/engine.ts"]],
  ["node:sqlite", ["runtime/durable/sqlite/driver.ts"]],
  ["pg", ["runtime/durable/postgres", "runtime/net/databases"]],
  ["croner", ["runtime/runs/schedules/due-times.ts"]],
  ["proper-lockfile", ["compiler/files"]],
  ["re2js", ["compiler/2-analyze/tests"]],
  ["nodemailer", ["runtime/net/mail.ts"]],
  ["@modelcontextprotocol/server", ["runtime/mcp", "cli/mcp"]],
  ["@modelcontextprotocol/client", ["runtime/net/assistants"]],
  ["ai", ["runtime/llm"]],
  ["@ai-sdk", ["runtime/llm"]],
  ["preact", ["runtime/studio/page"]],
  ["@preact/signals", ["runtime/studio/page"]],
])("%s has one owner", (name, owners) => {
  const users = all.filter(({ to }) => to === name || to.startsWith(`${name}/`)).map(({ from }) => from);
  expect(users.filter((from) => !within(from, ...owners))).toEqual([]);
});

test("parse and analyze do no input or output", () => {
  const rooms = ["compiler/1-parse", "compiler/2-analyze", "compiler/diagnostics"];
  const io = all.filter(
    ({ from, to }) => within(from, ...rooms) && /^node:(fs|net|http|https|child_process|os|process)/.test(to),
  );
  expect(io).toEqual([]);
});

test("only cli touches the process, and one file that says what a library must know of it", () => {
  const files = ["compiler", "runtime"].flatMap(sources).filter((file) => file !== "runtime/host.ts");
  const users = files.filter((file) => {
    const code = readFileSync(join(root, file), "utf8").replace(
      /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g,
      "",
    );
    return (
      /(?<![.\w])process\s*[.[]|\bglobalThis\s*(?:\?\.|\.|\[)\s*process\b/.test(code) ||
      /from\s+"node:process"/.test(readFileSync(join(root, file), "utf8"))
    );
  });
  expect(users).toEqual([]);
});

/** Which files each file imports. */
function importGraph(imports: readonly Import[]): ReadonlyMap<string, readonly string[]> {
  const graph = new Map<string, string[]>();
  for (const { from, to } of imports) {
    if (/\.tsx?$/.test(to)) graph.set(from, [...(graph.get(from) ?? []), to]);
  }
  return graph;
}

/** Tarjan's algorithm: the files that import each other, directly or by way of others. */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const order = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): number => {
    const own = order.size;
    let lowest = own;
    order.set(file, own);
    open.push(file);
    for (const next of graph.get(file) ?? []) {
      if (!order.has(next)) lowest = Math.min(lowest, visit(next));
      else if (open.includes(next)) lowest = Math.min(lowest, order.get(next)!);
    }
    if (lowest === own) {
      const circle = open.splice(open.indexOf(file));
      if (circle.length > 1) circles.push(circle.sort());
    }
    return lowest;
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return circles;
}

test("no file imports itself in a circle", () => {
  expect(circlesIn(importGraph(all.filter(({ typeOnly }) => !typeOnly)))).toEqual([]);
});

test("at most three files import each other, also when imports of types count", () => {
  expect(circlesIn(importGraph(all)).filter((circle) => circle.length > 3)).toEqual([]);
});

test("circles are found", () => {
  const graph = { a: ["b"], b: ["c", "d"], c: ["a"], d: ["e"], e: ["d"], f: ["a"] };
  expect(circlesIn(new Map(Object.entries(graph)))).toEqual([
    ["d", "e"],
    ["a", "b", "c"],
  ]);
});

/** Rooms that are lists of one kind: a stranger looks for one name in them. */
const LISTS = ["cli/commands"];
/** Files that a stranger can take in at a glance. */
const MOST_FILES = 20;

test("a room of more than 20 files is a list of one kind", () => {
  const sizes = new Map<string, number>();
  for (const room of ["compiler", "runtime", "cli"].flatMap(sources).map(dirname))
    sizes.set(room, (sizes.get(room) ?? 0) + 1);
  const crowded = [...sizes].filter(([room, size]) => size > MOST_FILES && !LISTS.includes(room));
  expect(crowded).toEqual([]);
});

test("no room without a name", () => {
  const vague = ["compiler", "runtime", "cli"]
    .flatMap(sources)
    .filter((file) => /(^|\/)(utils?|helpers?|common|misc|types)\.ts$/.test(file));
  expect(vague).toEqual([]);
});

const architecture = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
const [, tree = ""] = /^## Rooms\n\n```\n(.*?)^```/ms.exec(architecture) ?? [];

test.each(["compiler", "runtime", "cli"])("ARCHITECTURE.md names every room of %s", (folder) => {
  const [lines = ""] = new RegExp(`^${folder}/.*?(?=^\\S)`, "ms").exec(tree) ?? [];
  const rooms = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => relative(folder, relative(root, join(entry.parentPath, entry.name))));
  // What a large command needs is in a folder of the command's name.
  const isOfCommand = (room: string): boolean =>
    folder === "cli" && existsSync(join(root, `cli/commands/${room}.ts`));
  const isNamed = (room: string): boolean => lines.includes(` ${basename(room)}/ `);
  expect(rooms.filter((room) => !isNamed(room) && !isOfCommand(room))).toEqual([]);
});

test("ARCHITECTURE.md names every folder of the project", () => {
  // What is made by building, and by trying the examples, is no room.
  const folders = readdirSync(root, { withFileTypes: true })
    .filter(
      (entry) => entry.isDirectory() && !/^\.|^(?:data|dist|dist-runtime|node_modules)$/.test(entry.name),
    )
    .map(({ name }) => `${name}/`);
  expect(folders.filter((folder) => !tree.includes(folder))).toEqual([]);
});

test("the links of ARCHITECTURE.md lead somewhere", () => {
  const links = [...architecture.matchAll(/\]\(([^)#]+)/g)].map(([, to = ""]) => to);
  expect(links.length).toBeGreaterThan(30);
  expect(links.filter((to) => !existsSync(join(root, to)))).toEqual([]);
});

test("files are replaced by replaceFile: a rename of one's own is not on the disk, or leaves drafts", () => {
  const renames = all.filter(({ from }) => !within(from, "compiler/files")).map(({ from }) => from);
  const users = [...new Set(renames)].filter((file) =>
    /import \{[^}]*\brename(?:Sync)?\b[^}]*\} from "node:fs/.test(readFileSync(join(root, file), "utf8")),
  );
  // A run changes hands by a new name of its file.
  expect(users).toEqual(["runtime/runs/files/store.ts"]);
});

test("requests to hosts outside are made in runtime/net; models have their own guard", () => {
  const asks =
    /^import \{[^}]*\b(?:request|get)\b[^}]*\} from "node:https?"|(?<![.\w])fetch\(|\bXMLHttpRequest\b/m;
  const users = ["compiler", "runtime", "cli"]
    .flatMap(sources)
    .filter((file) => !within(file, "runtime/net", "runtime/studio/page"))
    .filter((file) => asks.test(readFileSync(join(root, file), "utf8")));
  expect(users).toEqual(["runtime/llm/guarded-fetch.ts"]);
});

test("folders are made by makeFolder: Node's own way to make several may have no end", () => {
  const users = ["compiler", "runtime", "cli"]
    .flatMap(sources)
    .filter((file) => /\bmkdir(?:Sync)?\([^;]*recursive/.test(readFileSync(join(root, file), "utf8")));
  expect(users).toEqual([]);
});

test("only compiler/types knows the kinds of types; all others ask it", () => {
  const files = ["compiler", "runtime", "cli"]
    .flatMap(sources)
    .filter((file) => !within(file, "compiler/types"));
  const lookInside = (line: string): boolean =>
    // What TypeScript's own nodes are is something else.
    /"list-of"|\b\w*(?:[tT]ype|wanted|member|check)s?(?:\[\w*\])?(?:[?!]?\.kind\b|\.\w+\(\(\{ kind\b)(?!.*SyntaxKind)/.test(
      line,
    );
  const found = files.flatMap((file) =>
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .filter(lookInside)
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});
