import { withEnvFile } from "../../runtime/config/environment.js";
import type { Project } from "../../runtime/config/folders.js";
import { messageOf } from "../../runtime/graph/contract/errors.js";
import { isMapping } from "../../runtime/graph/values/values.js";
import { type DeclaredTool, declaredTools, type ToolsSource } from "../../runtime/net/assistants/tools.js";
import { createRedactor } from "../../runtime/runs/redact.js";
import { UsageError } from "../failure.js";
import { MARK } from "../output-file.js";
import type { Context } from "../process/context.js";
import { shownPath } from "../project.js";

/** So long one server may take, with its start. */
const LONGEST_MS = 30_000;

/** The text of the file of all tools; null when a server did not say what it has. */
export async function keptTools(context: Context, project: Project): Promise<string | null> {
  const { root, file, configuration } = project;
  const section = configuration["mcp"];
  const names = isMapping(section) && isMapping(section["servers"]) ? Object.keys(section["servers"]) : [];
  if (names.length === 0) {
    const where = file === null ? "there is no flowsheet.yaml, so" : `${shownPath(file, context.cwd)}:`;
    throw new UsageError(`${where} no server stands under mcp.servers`);
  }
  const redact = createRedactor(context.env, project);
  const servers = { section, env: withEnvFile(context.env, root) };
  const source = { network: configuration["network"], servers, others: true, root, redact };
  const all: (readonly [string, object])[] = [];
  for (const name of names.sort()) {
    const tools = await toolsOf(name, source, context);
    if (tools !== null) all.push([name, byName(tools)]);
  }
  if (all.length < names.length) return null;
  const text = JSON.stringify({ $comment: `${MARK} types --mcp`, servers: Object.fromEntries(all) }, null, 2);
  return `${redact(text).replace(HIDDEN, escaped)}\n`;
}

/** Signs that a reviewer of the file would not see, or that move others, in what servers call their tools. */
const HIDDEN = /[\p{Cf}\p{Zl}\p{Zp}\x7f-\x9f]/gu;

const escaped = (sign: string): string =>
  sign
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");

async function toolsOf(
  name: string,
  source: ToolsSource,
  { fail, detail }: Context,
): Promise<readonly DeclaredTool[] | null> {
  try {
    const tools = await declaredTools(name, AbortSignal.timeout(LONGEST_MS), source);
    detail(`mcp.servers.${name} has ${tools.length} tools`);
    return tools;
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === "TimeoutError";
    const why = isLate ? "it has not answered for 30 seconds" : messageOf(error);
    const who = `mcp.servers.${name}`;
    fail(source.redact(why.includes(who) ? why : `${who}: ${why}`));
    return null;
  }
}

/** The same text for the same tools, in whatever order the server tells them. */
const byName = (tools: readonly DeclaredTool[]): object =>
  Object.fromEntries(
    [...tools]
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ name, input, output }) => [name, { input, ...(output === null ? {} : { output }) }]),
  );
