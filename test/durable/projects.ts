import { join } from "node:path";
import { onTestFinished } from "vitest";
import { parse, stringify } from "yaml";
import { openPostgresStore } from "../../runtime/durable/postgres/store.js";
import { openSqliteStore } from "../../runtime/durable/sqlite/store.js";
import type { DurableStore } from "../../runtime/durable/store.js";
import { createFolder } from "../cli/folder.js";
import { authentication, type ServiceSetup } from "../http/service.js";
import { newDatabase } from "../postgres/asked.js";
import { kindOf } from "./executors.js";

const STORE = { store: "env:DATABASE_URL" };
/** The databases of projects that have one, by their folders. */
const databases = new Map<string, string>();

/** A project whose commands keep their runs in the kind of store that the test is about. */
export async function projectOf(files: { readonly [path: string]: string }): Promise<string> {
  if (kindOf() !== "postgres") return createFolder(files);
  const { runs = {}, ...rest } = (parse(files["flowsheet.yaml"] ?? "") ?? {}) as { readonly runs?: object };
  const url = await newDatabase();
  const config = stringify({ ...rest, runs: { ...runs, ...STORE } });
  const cwd = createFolder({ ...files, "flowsheet.yaml": config, ".env": `DATABASE_URL=${url}\n` });
  databases.set(cwd, url);
  return cwd;
}

/** The runs of such a project. */
export async function runsOf(cwd: string): Promise<DurableStore> {
  const url = databases.get(cwd);
  const store =
    url === undefined
      ? await openSqliteStore(join(cwd, ".flowsheet/runs/runs.db"))
      : await openPostgresStore(url, { connections: 4 });
  onTestFinished(() => store.close());
  return store;
}

/** For a server that keeps its runs in that kind of store. */
export async function serviceOf(): Promise<Pick<ServiceSetup, "config" | "env">> {
  if (kindOf() !== "postgres") return {};
  return {
    config: `${authentication()}${stringify({ runs: STORE })}`,
    env: { DATABASE_URL: await newDatabase() },
  };
}
