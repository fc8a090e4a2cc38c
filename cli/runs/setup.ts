import type { Project } from "../../runtime/config/folders.js";
import { isOnServer, openProjectStore } from "../../runtime/runs/kept/store-place.js";
import { EXIT, UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { openProject } from "../project.js";
import { storeName } from "./open.js";

/** `runs setup`: makes the tables on the server, or prints what gives a role the right to make them. */
export async function setUpRuns(
  context: Context,
  operands: readonly string[],
  given: Given,
): Promise<number> {
  if (operands.length > 0) throw new UsageError(`runs setup takes no ${JSON.stringify(operands[0])}`);
  const project = openProject(context);
  if (given.flag("print")) {
    context.stdout.write(await sqlOf(project));
    return EXIT.done;
  }
  if (!isOnServer(project))
    throw new UsageError(
      "these runs are in a file of this machine, which needs no setup",
      "a server is named by runs.store in flowsheet.yaml: env:DATABASE_URL",
    );
  const store = await openProjectStore(project);
  await store.probe().finally(() => store.close());
  context.note(`the tables of the runs are in ${await storeName(project)}`);
  return EXIT.done;
}

/** With the role and the database of the address, when there is one. */
async function sqlOf({ keeping: { store } }: Project): Promise<string> {
  const { setupSql } = await import("../../runtime/durable/postgres/server/setup-sql.js");
  const { readAddress } = await import("../../runtime/durable/postgres/server/address.js");
  const { user, database } =
    store === "sqlite" ? { user: null, database: null } : readAddress(store.reveal());
  return setupSql({ role: user ?? "flowsheet", database });
}
