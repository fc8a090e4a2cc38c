import { understandSheet } from "../../../compiler/compile.js";
import { createReport } from "../../../compiler/diagnostics/report.js";
import type { World } from "../../../compiler/world.js";
import { agentFacts } from "../../agents/facts.js";
import { json } from "../answer.js";
import { mediaType, parseJsonBody, readBody } from "../body.js";
import type { Route } from "../route.js";
import { checkBody, keysOf, validationBody } from "../schemas.js";

const TAKEN = ["application/json", "text/csv"];
const KEYS = keysOf(validationBody);
const SHOWN = "sheet.csv";

/** What is known of the world when nothing may be looked at: no agents folder, no prompts, no other sheets. */
const NOWHERE: World = {
  agents: agentFacts,
  customAgents: null,
  unknownAgent: "warning",
  prompt: null,
  otherGraphs: null,
  lacks: () => null,
};

export const validateSheet: Route = {
  method: "POST",
  path: "/validation/csv",
  permission: "read",
  handle: async ({ request, service }) => {
    const type = mediaType(request, TAKEN);
    const bytes = await readBody(request, service.limits.sheet);
    const sheet =
      type === "text/csv"
        ? bytes
        : Buffer.from(checkBody(validationBody, KEYS, parseJsonBody(bytes)).csv_content);
    const { diagnostics, graphs, sheet: read } = understandSheet({ file: SHOWN, bytes: sheet }, NOWHERE);
    return json(createReport(diagnostics, new Map([[SHOWN, read?.text ?? ""]]), graphs));
  },
};
