import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { decode } from "../../compiler/1-parse/text/encoding.js";
import { workbookOf } from "../../compiler/1-parse/text/file-kind.js";
import type { Understanding } from "../../compiler/compile.js";
import { readReference, withEnvFile } from "../../runtime/config/environment.js";
import type { Project } from "../../runtime/config/folders.js";
import { readAllowed } from "../../runtime/net/allowed.js";
import { NetworkError, type NetworkReason } from "../../runtime/net/network-error.js";
import { readRules } from "../../runtime/net/rules.js";
import { createSafeFetch, type NetworkAnswer } from "../../runtime/net/safe-fetch.js";
import { type SheetPath, sheetsInFolder } from "../../runtime/workflows/find-sheets.js";
import type { SheetFiles } from "../../runtime/workflows/library.js";
import { MAX_SHEET, openFile } from "../../runtime/workflows/open-file.js";
import { graphNamesIn, understandContent } from "../../runtime/workflows/read-sheet.js";
import { filePathOf, openSheet, sheetsOfBook } from "../../runtime/workflows/workbooks.js";
import { EXIT, UsageError } from "../failure.js";
import { showDifference } from "../fix/mend.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { openProject } from "../project.js";
import { downloadOf, SHARING_HOSTS } from "../pull/link.js";
import { sourcesOf, tellProblems } from "../report.js";
import { named } from "../sheets/collect.js";
import { surroundingsOf, understandFile } from "../sheets/read.js";
import { writeNew } from "./convert.js";

/** `flowsheet pull`: the sheet of a link, checked, in a file of the project. */
export async function pull(context: Context, operands: readonly string[], given: Given): Promise<number> {
  const [link, file] = operands;
  if (link === undefined || file === undefined)
    throw new UsageError("pull needs a link and a file", "such as flowsheet pull https://… support.csv");
  const project = openProject(context);
  const bytes = await fetched(context, project, downloadOf(link, /\.xlsx$/i.test(file)));
  checkEnding(file, bytes);
  const understood = await understandAll(context, project, file, bytes);
  const problems = understood.flatMap(({ diagnostics }) => diagnostics);
  await tellProblems(problems, sourcesOf(understood), context);
  const path = resolve(context.cwd, file);
  const before = existsSync(path) ? openFile(path) : null;
  const isSame = before?.kind === "bytes" && Buffer.from(before.bytes).equals(bytes);
  if (isSame) context.note(`${file} is up to date`);
  const isBad = problems.some(({ severity }) => severity === "error");
  if (given.flag("check")) {
    if (isSame || isBad) return isBad ? EXIT.findings : EXIT.done;
    if (before?.kind === "bytes" && workbookOf(bytes) === null)
      await showDifference(file, decode(before.bytes).text, decode(bytes).text, context);
    context.fail(`${file} is not what the link gives`, "flowsheet pull without --check writes it");
    return EXIT.findings;
  }
  if (isBad) {
    context.note(`${file} is left as it is: the sheet has errors`);
    return EXIT.findings;
  }
  if (isSame) return EXIT.done;
  await writeNew(path, file, bytes);
  context.tell("wrote:", file);
  return EXIT.done;
}

async function fetched(context: Context, project: Project, url: string): Promise<Buffer> {
  const { configuration, root } = project;
  const rules = readRules(configuration["network"], false);
  const known = SHARING_HOSTS.flatMap((host) => readAllowed(host) ?? []);
  const send = createSafeFetch({ ...rules, allow: [...rules.allow, ...known] });
  const secrets = headersFor(configuration["links"], new URL(url), withEnvFile(context.env, root));
  const answer = await send({ url, secrets, maxBytes: MAX_SHEET }).catch((error: unknown) => {
    if (!(error instanceof NetworkError)) throw error;
    throw new UsageError(error.message, error.reason === "refused" ? null : HELP[error.reason]);
  });
  return sheetIn(answer);
}

/** What is done about a call that has no answer; one that is refused says so itself. */
const HELP: { readonly [reason in Exclude<NetworkReason, "refused">]: string } = {
  "bad-request": "is the link complete?",
  unreachable: "is the name of the host right, and this machine connected?",
  "bad-certificate": "ask whoever runs the host",
  redirects: "is the link that of a sheet? Copy it from the dialog that shares it",
  "too-large": "a sheet has 50 MB at most",
  "bad-answer": "try again; if it stays so, download the sheet in a browser",
  "time-out": "try again",
};

/** A sheet that is not shared answers with a page on which to sign in. */
function sheetIn({ status, headers, body, url }: NetworkAnswer): Buffer {
  const { host } = new URL(url);
  const isPage = /^text\/html\b/i.test(headers["content-type"] ?? "");
  if (isPage || status === 401 || status === 403)
    throw new UsageError(
      `link-needs-access: ${host} gives no sheet, but asks who you are`,
      'share the sheet so that "anyone with the link" may view it, or write links.<host>.headers into flowsheet.yaml',
    );
  if (status !== 200)
    throw new UsageError(`${host} answers with the status ${status}`, "is the link complete?");
  return body;
}

function headersFor(
  section: unknown,
  { host }: URL,
  env: Context["env"],
): { readonly [name: string]: string } {
  const entry = section instanceof Object && Object.hasOwn(section, host) ? Reflect.get(section, host) : null;
  const headers: unknown = entry instanceof Object ? Reflect.get(entry, "headers") : null;
  if (!(headers instanceof Object)) return {};
  return Object.fromEntries(
    Object.entries(headers).map(([name, written]) => {
      const found = readReference(String(written), env);
      if (found?.kind === "value") return [name, found.value];
      throw new UsageError(
        `links.${host}.headers.${name} must be env:NAME, the name of a variable that is set`,
        "secrets do not stand in flowsheet.yaml",
      );
    }),
  );
}

function checkEnding(file: string, bytes: Uint8Array): void {
  const isBook = workbookOf(bytes) !== null;
  const fits = isBook ? /\.(?:xlsx|xlsm|ods)$/i.test(file) : /\.csv$/i.test(file);
  if (fits) return;
  throw new UsageError(
    `the link gives ${isBook ? "a workbook" : "text"}`,
    `name a file such as ${basename(file).replace(/\.\w+$/, "")}${isBook ? ".xlsx" : ".csv"}`,
  );
}

/** What is known of the fetched sheet, or of each sheet of a fetched workbook, before anything is written. */
async function understandAll(
  context: Context,
  project: Project,
  file: string,
  bytes: Uint8Array,
): Promise<readonly Understanding[]> {
  if (workbookOf(bytes) !== null) return understandBook(context, project, file, bytes);
  const { encoding } = context;
  const sheet = named(context.cwd, file);
  const world = surroundingsOf(context, project, [sheet], ABOUT).worldOf(sheet);
  return [understandContent({ kind: "bytes", bytes }, { shown: file, encoding, world })];
}

const ABOUT = { unknownAgent: "warning" } as const;

/** Worksheets use each other, as tables and as graphs: those of the new workbook are meant, not those of the old one. */
async function understandBook(
  context: Context,
  project: Project,
  file: string,
  bytes: Uint8Array,
): Promise<readonly Understanding[]> {
  const folder = mkdtempSync(join(tmpdir(), "flowsheet-pull-"));
  try {
    const path = join(folder, basename(file));
    writeFileSync(path, bytes, { mode: 0o600 });
    const sheets = sheetsOfBook(path).flows.map((one) => ({
      path: one,
      shown: file + one.slice(path.length),
      named: true,
    }));
    const target = resolve(context.cwd, file);
    const about = { ...ABOUT, files: filesWithout(target, context.encoding) };
    const { worldOf } = surroundingsOf(context, project, [...sheets, ...sheetsBeside(target)], about);
    const understood = await Promise.all(sheets.map((one) => understandFile(one, worldOf(one), context)));
    return understood.filter((one) => one !== null);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The sheets in the folder of the file that the workbook becomes. */
function sheetsBeside(target: string): readonly SheetPath[] {
  const folder = dirname(target);
  return existsSync(folder) ? sheetsInFolder(folder, folder, false).sheets : [];
}

/** The disk, as if the old workbook were not there. */
const filesWithout = (target: string, encoding: string | null): SheetFiles => ({
  open: openSheet,
  graphsIn: (path) =>
    filePathOf(path) === target ? new Set() : graphNamesIn({ path, shown: path, encoding }, false),
});
