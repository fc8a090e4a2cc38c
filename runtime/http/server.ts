import { describeStart, type StartNotes } from "../auth/plan/start-notes.js";
import type { Configuration } from "../config/configuration.js";
import { messageOf } from "../graph/contract/errors.js";
import { createListener, type RunningServer, startServer } from "./listener.js";
import { prepareService, type ServeOptions } from "./prepare-service.js";

export interface ServerOptions extends Omit<ServeOptions, "bindHost"> {
  /** It wins over the configuration. */
  readonly host?: string | undefined;
  readonly port?: number | undefined;
}

export interface FlowsheetServer {
  readonly configuration: Configuration;
  readonly notes: StartNotes;
  /** The present number of workflows. */
  readonly workflows: () => number;
  readonly listen: () => Promise<RunningServer>;
  /** The failed checks, as in `GET /ready`. */
  readonly lacks: () => Promise<readonly string[]>;
  /** Opens the log file again, after log rotation has renamed it. */
  readonly reopenLogs: () => void;
  /** Logs errors without a request, such as the rejection of a promise that an agent did not await. */
  readonly noteStray: (thrown: unknown) => void;
}

/** Makes the server of a project. Throws when the configuration forbids it. */
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
