import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { createFolder } from "../cli/folder.js";
import { BIN } from "../cli/process.js";
import { flowsheet } from "../cli/run.js";
import { freePort } from "../http/free-port.js";

const ROOT = dirname(dirname(dirname(BIN)));

/** What a block of commands printed. */
export interface Printed {
  readonly code: number | null;
  readonly stdout: string;
  /** Both streams as a terminal shows them. */
  readonly all: string;
}

/** A shell in a folder of its own, in which a page's commands run one block after the other. */
export interface PageShell {
  /** Where the commands are by now. */
  readonly cwd: () => string;
  readonly write: (path: string, content: string) => void;
  readonly run: (script: string) => Promise<Printed>;
}

/**
 * The package stands in the folder as if it had been installed, and beside it these folders of the repository. Two things are put in place of what a page says: the
 * port 8000 is a free one, as is 2525 of mail servers, and `<run_id>` and `fsk_…` are the last run's id and the last key of the executor or of ada that were printed.
 */
export async function openPageShell(repository: readonly string[] = []): Promise<PageShell> {
  const folder = createFolder({ "package.json": '{ "type": "module" }\n' });
  const tools = createFolder();
  const port = await freePort();
  const mailPort = await freePort();
  const where = join(tools, "cwd");
  writeFileSync(where, folder);
  for (const [name, text] of Object.entries(TOOLS)) {
    writeFileSync(join(tools, name), text);
    chmodSync(join(tools, name), 0o755);
  }
  install(folder);
  // Copies: what a page writes must not come into the repository.
  for (const name of repository) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  const exports: string[] = [];
  const seen = { runId: "<run_id>", key: "fsk_…" };
  const env = {
    PATH: `${tools}:${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
    NODE: process.execPath,
    BIN,
    ROOT,
    PORT: String(port),
  };
  const cwd = (): string => readFileSync(where, "utf8").trim();
  const start = (script: string): ChildProcess =>
    spawn("bash", [...STRICT, "-c", `${exports.join("\n")}\n${script}`], {
      cwd: cwd(),
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
  const run = async (written: string): Promise<Printed> => {
    const config = join(cwd(), "flowsheet.yaml");
    if (existsSync(config))
      writeFileSync(config, readFileSync(config, "utf8").replaceAll("2525", String(mailPort)));
    const lines = written
      .replaceAll("<run_id>", seen.runId)
      .replaceAll("fsk_…", seen.key)
      .replaceAll("127.0.0.1:8000", `127.0.0.1:${port}`)
      .split("\n");
    const serves = lines.filter((line) => SERVE.test(line));
    const script = lines.filter((line) => !SERVE.test(line)).join("\n");
    exports.push(...lines.filter((line) => /^export \w+=/.test(line)));
    const ended = { code: 0 as number | null, stdout: "", all: "" };
    for (const part of exports.length > 0 ? [script] : partsOf(script)) {
      const command = PLAIN.exec(part);
      const { code, stdout, all } =
        command === null || (RUNS_CODE.test(command[2] ?? "") && hasCode(cwd()))
          ? await finish(start(`trap 'pwd > ${where}' EXIT\n${part}`))
          : await runHere(command, cwd());
      Object.assign(ended, { code, stdout: ended.stdout + stdout, all: ended.all + all });
      if (code !== 0) break;
    }
    for (const line of serves) await listening(start(`exec ${line.replace(/ *#.*$/, "")}`));
    const text = (one: string): string => one.replaceAll(`127.0.0.1:${port}`, "127.0.0.1:8000");
    seen.runId = /\b[0-9a-f]{32,}\b/.exec(ended.all)?.[0] ?? seen.runId;
    seen.key = [...ended.all.matchAll(/^(?:executor|ada) +(fsk_\S+)$/gm)].at(-1)?.[1] ?? seen.key;
    return { code: ended.code, stdout: text(ended.stdout), all: text(ended.all) };
  };
  const write = (path: string, content: string): void => {
    const file = join(cwd(), path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(
      file,
      content.replaceAll("127.0.0.1:8000", `127.0.0.1:${port}`).replaceAll("2525", String(mailPort)),
    );
  };
  return { cwd, write, run };
}

const STRICT = ["--norc", "--noprofile", "-e", "-o", "pipefail"];
const SERVE = /^(?:flowsheet (?:serve|studio)|node_modules\/\.bin\/flowsheet-server|node mailbox\.mjs)\b/;

/** A word that a shell hands on as it is, but for its quotes. */
const WORD = /(?:[\w./=-]|"[^"$`\\!]*"|'[^']*')+/;
/** A command written so plainly that a shell would change nothing else. */
const PLAIN = new RegExp(
  `^(npx )?flowsheet ((?:compile|inspect|run|test|validate)(?: ${WORD.source})*)(?: +#.*)?$`,
);
/** What may run agents of the page: these have a process of their own. */
const RUNS_CODE = /^(?:run|test)\b/;

/** A script cut at its plain commands, unless its lines hang together. */
function partsOf(script: string): readonly string[] {
  if (/<<|\\$|^\w+=|^ /m.test(script)) return [script];
  const parts: string[][] = [[]];
  for (const line of script.split("\n")) {
    if (PLAIN.test(line)) parts.push([line], []);
    else if (line !== "") parts.at(-1)?.push(line);
  }
  return parts.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
}

/** Whether something stands there that a run loads as a module. */
const hasCode = (cwd: string): boolean => ["agents", "generated"].some((name) => existsSync(join(cwd, name)));

/** Runs it in this process: TypeScript, which some of them load, takes seconds in each new one. */
async function runHere([, npx, words = ""]: RegExpExecArray, cwd: string): Promise<Printed> {
  const env = npx === undefined ? {} : { npm_command: "exec" };
  const all = [...words.matchAll(new RegExp(WORD, "g"))].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"),
  );
  const { code, stdout, stderr } = await flowsheet(all, { cwd, env });
  return { code, stdout, all: stdout + stderr };
}

const SERVER = '#!/bin/sh\nexec flowsheet serve "$@"\n';

/** What the commands of a page find in the place of the real tools: nothing is fetched from anywhere. */
const TOOLS = {
  "flowsheet-server": SERVER,
  flowsheet: '#!/bin/sh\n[ "$1" = serve ] && set -- "$@" --port "$PORT"\nexec "$NODE" "$BIN" "$@"\n',
  npx: '#!/bin/sh\n[ "$1" = flowsheet ] || { echo "npx $1?" >&2; exit 9; }\nshift\nnpm_command=exec exec flowsheet "$@"\n',
  npm: `#!/bin/sh
case "$1" in
  install)
    shift
    mkdir -p node_modules/.bin
    cp "$(command -v flowsheet-server)" node_modules/.bin/
    tools=""
    grep -q '"vitest"' package.json && tools=vitest
    for name in flowsheet $tools "$@"; do
      case "$name" in -*) continue ;; esac
      from="$ROOT/node_modules/$name"
      [ "$name" = flowsheet ] && from="$ROOT"
      [ "$name" = flowsheet-runtime ] && from="$ROOT/dist-runtime"
      mkdir -p "$(dirname "node_modules/$name")"
      [ -e "node_modules/$name" ] || ln -s "$from" "node_modules/$name"
    done ;;
  init) echo '{ "name": "page", "type": "module" }' > package.json ;;
  *) echo "npm $1?" >&2; exit 9 ;;
esac
`,
};

function install(folder: string): void {
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  symlinkSync(ROOT, join(folder, "node_modules/flowsheet"));
  mkdirSync(join(folder, "node_modules/.bin"));
  writeFileSync(join(folder, "node_modules/.bin/flowsheet-server"), SERVER, { mode: 0o755 });
}

function finish(child: ChildProcess): Promise<Printed> {
  const [stdout, all]: [Buffer[], Buffer[]] = [[], []];
  child.stdout?.on("data", (chunk: Buffer) => {
    stdout.push(chunk);
    all.push(chunk);
  });
  child.stderr?.on("data", (chunk: Buffer) => all.push(chunk));
  return new Promise((resolve) =>
    child.on("close", (code) =>
      resolve({ code, stdout: Buffer.concat(stdout).toString(), all: Buffer.concat(all).toString() }),
    ),
  );
}

/** Waits until a server says where it listens; it goes away with the test. */
function listening(child: ChildProcess): Promise<void> {
  onTestFinished(() => void child.kill());
  let said = "";
  return new Promise((resolve, reject) => {
    const hear = (chunk: Buffer): void => {
      said += chunk.toString();
      if (said.includes("listens on")) resolve();
    };
    child.stdout?.on("data", hear);
    child.stderr?.on("data", hear);
    child.on("close", () => reject(new Error(said)));
  });
}
