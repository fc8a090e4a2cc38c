import { describeStart, type StartNotes } from "../auth/plan/start-notes.js";
import type { Configuration } from "../config/configuration.js";
import { messageOf } from "../graph/contract/errors.js";
import { createListener, type RunningServer, startServer } from "./listener.js";
import { prepareService, type ServeOptions } from "./prepare-service.js";

export interface ServerOptions extends Omit<ServeOptions, "bindHost"> {
  /** Before what the configuration says. */
  readonly host?: string | undefined;
  readonly port?: number | undefined;
}

/** A server of a project. */
export interface FlowsheetServer {
  readonly configuration: Configuration;
  readonly notes: StartNotes;
  /** How many workflows there are now. */
  readonly workflows: () => number;
  readonly listen: () => Promise<RunningServer>;
  /** What runs would not find, as `GET /ready` tells it. */
  readonly lacks: () => Promise<readonly string[]>;
  /** Opens the log file again, after another program has given it another name. */
  readonly reopenLogs: () => void;
  /** Logs what failed somewhere in the process without a request that waits for it, such as a promise that an agent dropped. */
  readonly noteStray: (thrown: unknown) => void;
}

/** Makes the server of a project; throws when its configuration keeps it from starting. */
export function createFlowsheetServer({ host, port, ...options }: ServerOptions): FlowsheetServer {
  const { handler, service, configuration, loggers, ready } = prepareService({ ...options, bindHost: host });
  const { server } = configuration.settings;
  return {
    configuration,
    notes: describeStart(configuration),
    workflows: () => service.catalogue.list().length,
    lacks: async () => (await service.readiness()).checks.flatMap(({ help }) => help ?? []),
    reopenLogs: loggers.reopen,
    noteStray: (thrown) => service.log.warn(`something failed that no node waits for: ${messageOf(thrown)}`),
    listen: async () => {
      await ready();
      const where = { host: host ?? server.host, port: port ?? server.port };
      const running = await startServer(createListener(handler, service.log), service, where);
      const stop = async (graceMs: number): Promise<void> => {
        await running.stop(graceMs);
        loggers.close();
      };
      return { ...running, stop };
    },
  };
}
