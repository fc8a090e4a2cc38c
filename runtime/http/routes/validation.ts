import { join } from "node:path";
import { json } from "../answer.js";
import { mediaType, parseJsonBody, readBody } from "../body.js";
import { checkAside } from "../check-aside.js";
import { checkSheet } from "../check-sheet.js";
import type { Route } from "../route.js";
import { checkBody, keysOf, validationBody } from "../schemas.js";

const TAKEN = ["application/json", "text/csv"];
const KEYS = keysOf(validationBody);
/** A larger sheet would keep all others waiting for more than a few milliseconds. */
const LARGE = 50_000;

export const validateSheet: Route = {
  method: "POST",
  path: "/validation/csv",
  permission: "read",
  handle: async ({ request, service, signal }) => {
    const type = mediaType(request, TAKEN);
    const bytes = await readBody(request, service.limits.sheet);
    const sheet =
      type === "text/csv"
        ? bytes
        : Buffer.from(checkBody(validationBody, KEYS, parseJsonBody(bytes)).csv_content);
    if (sheet.length <= LARGE) return json(checkSheet(sheet));
    return json(await checkAside(join(service.programs, "validation-worker.js"), sheet, signal));
  },
};
