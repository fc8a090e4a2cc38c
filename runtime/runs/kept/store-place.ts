import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Project } from "../../config/folders.js";
import type { DurableStore } from "../../durable/store.js";
import type { StoreTrouble } from "../../durable/trouble.js";

type Place = Pick<Project, "runs" | "keeping">;

/** The file of the runs that a project keeps, unless they are on a server. */
export const storeFile = ({ runs }: Pick<Project, "runs">): string => join(runs, "runs.db");

export const isOnServer = ({ keeping }: Pick<Project, "keeping">): boolean => keeping.store !== "sqlite";

/** Whether there is a store; looked at without loading anything. One on a server always counts as there. */
export const hasStore = (project: Place): boolean => isOnServer(project) || existsSync(storeFile(project));

/** Opens the store of a project, and makes it when there is none. */
export async function openProjectStore(
  project: Place & Pick<Project, "root">,
  trouble?: StoreTrouble,
): Promise<DurableStore> {
  const { store, durability, connections } = project.keeping;
  const { openStore } = await import("../../durable/open-store.js");
  const place = { store, durability, connections, file: storeFile(project), root: project.root };
  return openStore(place, trouble);
}
