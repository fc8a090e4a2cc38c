import { checkBody, keysOf, validationBody } from "../openapi/schemas.js";
import { text } from "../request/answer.js";
import { mediaType, parseJsonBody, readBody } from "../request/body.js";
import type { Route } from "../route.js";

const TAKEN = ["application/json", "text/csv"];
const KEYS = keysOf(validationBody);

export const validateSheet: Route = {
  method: "POST",
  path: "/validation/csv",
  permission: "read",
  handle: async ({ request, service, caller, signal }) => {
    const { sheetChecks } = service;
    const type = mediaType(request, TAKEN);
    // Again when it is here: whoever has too many on the way need not send one more.
    sheetChecks.admit(caller);
    const bytes = await service.receiving.use(caller, () => readBody(request, service.limits.sheet));
    const sheet =
      type === "text/csv"
        ? bytes
        : Buffer.from(checkBody(validationBody, KEYS, parseJsonBody(bytes)).csv_content);
    return text("application/json", await sheetChecks.check({ caller, bytes: sheet, signal }));
  },
};
