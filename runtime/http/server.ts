import { describeStart } from "../auth/plan/start-notes.js";
import { messageOf } from "../graph/contract/errors.js";
import { createHandler } from "./handler.js";
import { createListener, type RunningServer, startServer } from "./listener.js";
import { createService, type ServeOptions } from "./service.js";

export interface ServerOptions extends Omit<ServeOptions, "bindHost"> {
  /** It wins over the configuration. */
  readonly host?: string | undefined;
  readonly port?: number | undefined;
}

export type FlowsheetServer = ReturnType<typeof createFlowsheetServer>;

/** Makes the server of a project. Throws when the configuration forbids it. */
export function createFlowsheetServer({ host, port, ...options }: ServerOptions) {
  const service = createService({ ...options, bindHost: host });
  const { configuration, loggers, log } = service;
  const { server } = service.settings;
  return {
    configuration,
    notes: describeStart(configuration),
    /** The folder whose sheets are served. */
    folder: service.project.workflows,
    /** The present number of workflows. */
    workflows: () => service.catalogue.list().length,
    /** The failed checks, as in `GET /ready`. */
    lacks: async () => (await service.readiness()).checks.flatMap(({ help }) => help ?? []),
    /** Opens the log file again, after log rotation has renamed it. */
    reopenLogs: loggers.reopen,
    /** Logs errors without a request, such as the rejection of a promise that an agent did not await. */
    noteStray: (thrown: unknown) => log.warn(`something failed that no node waits for: ${messageOf(thrown)}`),
    listen: async (): Promise<RunningServer> => {
      await service.ready();
      if (service.works) await service.runner.work();
      else await service.runner.check();
      // Counted now, so that the first request has the number.
      service.runner.waiting.lastCount();
      const where = { host: host ?? server.host, port: port ?? server.port };
      const running = await startServer(createListener(createHandler(service), log), service, where);
      const stop = async (graceMs: number): Promise<void> => {
        await running.stop(graceMs);
        await service.runner.close(graceMs);
        loggers.close();
      };
      return { ...running, stop };
    },
  };
}
