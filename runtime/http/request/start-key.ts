import type { ZodOpenApiParameterObject } from "zod-openapi";
import { headerValues } from "../../auth/credential.js";
import type { IncomingRequest } from "../../auth/request.js";
import { isStartKey } from "../../runs/start-options.js";
import type { Headers } from "./answer.js";
import { inputInvalid } from "./problem.js";

export const KEY_HEADER: ZodOpenApiParameterObject = {
  ...{ name: "Idempotency-Key", in: "header", schema: { type: "string", maxLength: 255 } },
  description: "The same key and body once more give the same run.",
};

/** The key that begins a run at most once; null without one. */
export function keyOf({ rawHeaders, headers }: IncomingRequest): string | null {
  if (headers["idempotency-key"] === undefined) return null;
  const [key = "", ...others] = headerValues(rawHeaders, "idempotency-key");
  if (others.length === 0 && isStartKey(key)) return key;
  const message = "the key must be one, of 1 to 255 visible ASCII characters";
  throw inputInvalid([{ pointer: "/headers/Idempotency-Key", message }]);
}

/** Marks the answer of a key that had begun its run before. */
export const replayed = (created: boolean): Headers => (created ? {} : { "Idempotency-Replayed": "true" });
