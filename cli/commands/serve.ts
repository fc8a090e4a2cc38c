import { relative } from "node:path";
import { createPaint } from "../../compiler/diagnostics/paint.js";
import { createFlowsheetServer, type FlowsheetServer } from "../../runtime/http/server.js";
import { EXIT } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { openProject, unreadable } from "../project.js";
import { portOf, startRefused, toldToStop } from "../serve/starting.js";
import { version } from "../version.js";

/** `flowsheet serve`: serves the project's workflows until it is told to stop. */
export async function serve(context: Context, given: Given): Promise<number> {
  openProject(context);
  const server = createServer(context, given);
  // The request to reopen logs may come while agents are still loading.
  context.events.onHangup(server.reopenLogs);
  await context.events.keepChildrenOffStdout();
  const running = await server.listen().catch((error: unknown) => {
    throw startRefused(unreadable(error, context.cwd), "the server", context.cwd);
  });
  // A program that reads the address may stop the server at once, so this comes before it is written.
  const told = toldToStop(context);
  // An unhandled error of one agent must not end the runs of others.
  context.events.onStray(server.noteStray);
  const off = context.events.onQuit(() => context.fail("an agent ended the server's process"));
  context.stdout.write(banner(context, server, running.url));
  for (const text of server.notes.warnings) context.tell("warning:", text);
  for (const text of await server.lacks()) context.tell("warning:", `not ready: ${text}`);
  for (const text of server.notes.hints) context.note(text);
  const stopped = await told;
  off();
  context.note("stopping: runs that were accepted may end");
  await running.stop(server.configuration.settings.server.shutdown_ms);
  return stopped === "interrupted" ? EXIT.interrupted : EXIT.done;
}

function createServer(context: Context, given: Given): FlowsheetServer {
  const { cwd, config, env, encoding, stderr } = context;
  const host = given.text("host") ?? undefined;
  try {
    const console = (line: string): void => stderr.write(line);
    const works = !given.flags.includes("--no-work");
    return createFlowsheetServer({ cwd, config, env, encoding, works, console, host, port: portOf(given) });
  } catch (error) {
    throw startRefused(error, "the server", cwd);
  }
}

function banner(context: Context, { configuration, notes, workflows }: FlowsheetServer, url: string): string {
  const paint = createPaint(context.color(context.stdout));
  const { root, settings, file } = configuration;
  const folder = relative(context.cwd, `${root}/${settings.workflows}`) || ".";
  const base = `${url}${settings.server.base_path}`;
  const count = workflows();
  const lines = [
    ["workflows", `${count} in ${folder}`],
    ["configuration", file === null ? "none: all defaults" : relative(context.cwd, file) || file],
    ["authentication", notes.methods],
    ["try it out", `${base}/docs`],
    ...(settings.server.studio === "off" ? [] : [["Studio", `${base}/studio/`]]),
  ];
  const rows = lines.map(([name = "", text = ""]) => `  ${name.padEnd(15)} ${text}\n`);
  return `${paint("strong", `Flowsheet ${version}`)} listens on ${base}\n${rows.join("")}`;
}
