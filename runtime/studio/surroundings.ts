import type { Service } from "../http/service.js";
import { createSurroundings, type Surroundings, type WorldOptions } from "../workflows/world.js";

/** As `validate` understands sheets: an unknown agent is a warning, as nothing is run. */
export const surroundingsOf = (
  { project, encoding, env, agents }: Service,
  isSeen?: WorldOptions["isSeen"],
): Surroundings =>
  createSurroundings({
    ...(isSeen === undefined ? {} : { isSeen }),
    ...{ folders: project, env, encoding, sheets: [], unknownAgent: "warning" },
    registered: Object.keys(agents),
  });
