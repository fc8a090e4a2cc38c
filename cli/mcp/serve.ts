import { randomUUID } from "node:crypto";
import { suggest } from "../../compiler/diagnostics/suggest.js";
import { INCLUDED, type Permission } from "../../runtime/auth/permissions.js";
import type { Principal } from "../../runtime/auth/result.js";
import { createService, type Service } from "../../runtime/http/service.js";
import { type McpCaller, offeredTo, offering } from "../../runtime/mcp/caller.js";
import { drawInspected } from "../../runtime/mcp/drawn.js";
import { loadSdk, loadStdioSdk, sdkLack } from "../../runtime/mcp/sdk.js";
import { createMcpServer } from "../../runtime/mcp/server.js";
import { EXIT, UsageError } from "../failure.js";
import type { Context } from "../process/context.js";
import { openProject } from "../project.js";
import { systemUser } from "../run/system-user.js";
import { startRefused } from "../serve/starting.js";
import { reportOf, understandText } from "./sheet-text.js";
import { StdioWire } from "./wire.js";

export interface Offer {
  /** `*` for all. */
  readonly workflows: readonly string[];
  readonly authoring: boolean;
}

/** So long runs that are cancelled may take. */
const GRACE_MS = 5_000;

/** Serves one client over standard input and output, until it leaves. */
export async function serveStdio(context: Context, offer: Offer): Promise<number> {
  const project = openProject(context);
  const lack = sdkLack(project.root);
  if (lack !== null) throw new UsageError(`flowsheet mcp cannot start: ${lack}`);
  const service = makeService(context, project.file === null ? context.cwd : null);
  await context.events.keepChildrenOffStdout();
  await service.ready();
  const gone = new AbortController();
  const calls = new Set<Promise<unknown>>();
  const more = offer.authoring
    ? (await import("./authoring.js")).authoringTools(context, service.project)
    : [];
  const caller = callerOf(context, service, {
    ...{ gone: gone.signal, calls, more },
    isShown: offering(offer.workflows),
  });
  checkOffered(caller, offer.workflows);
  const [sdk, stdio] = await Promise.all([loadSdk(project.root), loadStdioSdk(project.root)]);
  const code = await new Promise<number>((resolve) => {
    const wire = new StdioWire(context, sdk.parseJSONRPCMessage, () => resolve(EXIT.done));
    const onerror = ({ message }: Error): void => context.detail(message);
    stdio.serveStdio(() => createMcpServer(sdk, caller), { transport: wire, onerror });
    context.events.onInterrupt(() => resolve(EXIT.interrupted));
    context.events.onTerminate(() => resolve(EXIT.done));
    context.events.onStray((thrown) => service.log.warn("something failed that no node waits for", thrown));
  });
  gone.abort();
  await Promise.race([Promise.allSettled(calls), later(GRACE_MS)]);
  await service.runner.close(GRACE_MS);
  service.loggers.close();
  return code;
}

const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());

function makeService({ cwd, config, env, encoding, stderr }: Context, folder: string | null): Service {
  const console = (line: string): void => stderr.write(line);
  try {
    return createService({ cwd, config, env, encoding, folder, console, bindHost: "127.0.0.1" });
  } catch (error) {
    throw startRefused(error, "the server", cwd);
  }
}

/** Whoever starts the command may do what they may on this command line. */
const GRANTED: ReadonlySet<Permission> = new Set([...INCLUDED.write, ...INCLUDED.execute]);

interface Connection extends Pick<McpCaller, "isShown" | "more"> {
  readonly gone: AbortSignal;
  readonly calls: Set<Promise<unknown>>;
}

function callerOf(context: Context, service: Service, { gone, calls, isShown, more }: Connection): McpCaller {
  const userId = systemUser();
  const about = { kind: "local", name: userId, userId, username: null } as const;
  const principal: Principal = { ...about, permissions: GRANTED, roles: [], graphs: null };
  const { project } = service;
  const understand = (csv: string) => understandText(context, project)(Buffer.from(csv));
  return {
    ...{ service, principal, graphs: null, caller: userId, isShown, more, patienceMs: null },
    id: randomUUID(),
    takeSlot: async () => {},
    signal: gone,
    endsWithClient: true,
    validate: async (csv) => reportOf(understand(csv)),
    inspect: async ({ csv, graph, format }) => drawInspected(understand(csv).graphs, graph, format),
    during: async (call) => {
      calls.add(call);
      return call.finally(() => calls.delete(call));
    },
  };
}

/** A misspelt name would offer nothing, silently. */
function checkOffered(caller: McpCaller, offered: readonly string[]): void {
  const known = caller.service.catalogue.list();
  for (const name of offered) {
    if (name === "*" || name.endsWith("/*")) continue;
    if (known.some((one) => one.name === name || one.graphName === name)) continue;
    const near = suggest(
      name,
      known.map((one) => one.name),
    );
    const help = near === null ? "flowsheet inspect shows what there is" : `did you mean ${near}?`;
    throw new UsageError(`there is no workflow ${JSON.stringify(name)}`, help);
  }
  if (offeredTo(caller).length === 0)
    caller.service.log.warn("no valid workflow is offered: flowsheet validate tells what is wrong");
}
