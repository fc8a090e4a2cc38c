import { pathOf } from "../address.js";
import { server } from "../connection/present.js";
import { Refusal } from "../connection/requests.js";
import type { SaveFault, SheetPort } from "./text/saver.js";

const CHANGED = 412;

/** A sheet as the server has it. */
export function portOf(name: string): SheetPort {
  const path = `api/sheets/${pathOf(name)}`;
  const send = async (method: string, headers: { readonly [name: string]: string }, body: string) => {
    const response = await server().ask(path, { method, headers, body });
    const { etag } = (await response.json()) as { readonly etag: string };
    return etag;
  };
  return {
    read: () => server().sheet(name).catch(gone),
    write: (edits, etag) =>
      send(
        "PATCH",
        { "Content-Type": "application/json", "If-Match": etag },
        JSON.stringify({ edits }),
      ).catch(faultOf),
    create: (text) => send("PUT", { "Content-Type": "text/csv", "If-None-Match": "*" }, text).catch(faultOf),
  };
}

function gone(error: unknown): { readonly kind: "gone" } {
  if (error instanceof Refusal && error.status === 404) return { kind: "gone" };
  throw error;
}

/** A server that fails is asked again, as one that does not answer. */
function faultOf(error: unknown): SaveFault {
  if (!(error instanceof Refusal)) throw error;
  if (error.status === CHANGED) return { kind: "changed" };
  if (error.status === 404) return { kind: "gone" };
  return { kind: "refused", why: whyOf(error) };
}

function whyOf({ status, message, details }: Refusal): string {
  if (status === 503) return "another program holds the file";
  return details[0] ?? message;
}
