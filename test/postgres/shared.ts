import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { type PostgresServer, startServer } from "./server.js";

declare module "vitest" {
  export interface ProvidedContext {
    /** Where a process of the tests asks for the URL of the PostgreSQL that all of them share. */
    readonly postgres: string;
  }
}

/** The first that asks starts it: a run of other tests does without. It is removed after the tests. */
export default function setup(project: TestProject): () => Promise<void> {
  const folder = mkdtempSync("/tmp/flowsheet-ask-");
  const path = join(folder, "socket");
  let started: Promise<PostgresServer> | undefined;
  const door = createServer((asking) => {
    started ??= startServer();
    started.then(
      ({ url }) => asking.end(url),
      (error: unknown) => asking.end(String(error)),
    );
    asking.on("error", () => {});
  }).listen(path);
  door.unref();
  project.provide("postgres", path);
  return async () => {
    door.close();
    await (await started?.catch(() => undefined))?.remove();
    rmSync(folder, { recursive: true, force: true });
  };
}
