import { z } from "zod";
import { answersJson, BODY_PROBLEMS } from "../../http/openapi/operation.js";
import { json } from "../../http/request/answer.js";
import { readJson } from "../../http/request/body.js";
import { inputInvalid } from "../../http/request/problem.js";
import type { Route } from "../../http/route.js";
import { mustBeLocal } from "../only-local.js";
import { debugRoomOf } from "./debug-room.js";
import type { DebugCommand } from "./debug-session.js";

const commandBody = z
  .strictObject({
    do: z.enum(["next", "continue", "set", "answer", "break", "clear", "quit"]),
    field: z.string().optional().meta({ description: "Of `set`." }),
    value: z.json().optional().meta({ description: "Of `set` and `answer`." }),
    node: z
      .string()
      .optional()
      .meta({ description: "Of `break` and `clear`; `clear` alone takes all away." }),
  })
  .meta({ id: "StudioDebugCommand" });

/** With what it needs, and nothing else is looked at. */
function commandOf({ do: what, field, value, node }: z.infer<typeof commandBody>): DebugCommand {
  if (what === "set") return { do: what, field: given(field, "field"), value: given(value, "value") };
  if (what === "answer") return { do: what, value: given(value, "value") };
  if (what === "break") return { do: what, node: given(node, "node") };
  return what === "clear" ? { do: what, node } : { do: what };
}

function given<T>(value: T | undefined, name: string): T {
  if (value !== undefined) return value;
  throw inputInvalid([{ pointer: `/${name}`, message: "is missing" }]);
}

const doneBody = z.object({ done: z.literal(true) });

export const debugCommands: Route = {
  method: "POST",
  path: "/studio/api/debug/{id}/commands",
  permission: "execute",
  operation: {
    operationId: "studioDebugCommand",
    summary: "Tell a debugger what to do",
    tag: "studio",
    body: { "application/json": { schema: commandBody } },
    answers: { "200": answersJson(doneBody, "It is done; the events tell what came of it.") },
    problems: [...BODY_PROBLEMS, "debugger_not_found", "not_stopped"],
  },
  handle: async (context) => {
    mustBeLocal(context);
    const session = debugRoomOf(context.service).find(context.params.get("id") ?? "");
    session.obey(commandOf(await readJson(context, commandBody)));
    return json({ done: true });
  },
};
