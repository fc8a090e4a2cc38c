import type { WaitingFor } from "../../graph/contract/contract.js";
import type { WaitRow } from "../rows.js";
import type { Suspension } from "./leg-store.js";

/** The questions that one leg came to, by node, in the order in which it did. */
export class AskedWaits {
  readonly #ids = new Map<string, string[]>();

  add({ id, waiting: { node } }: Pick<WaitRow, "id" | "waiting">): void {
    const ids = this.#ids.get(node);
    if (ids === undefined) this.#ids.set(node, [id]);
    else ids.push(id);
  }

  /** Those that a run waits for. A node that was tried again asks the last of its questions. */
  of(waiting: readonly WaitingFor[]): Pick<Suspension, "asked"> {
    const asked = waiting.map(({ node }) => this.#ids.get(node)?.pop());
    // Whatever is not understood is left as it is.
    return asked.includes(undefined) ? {} : { asked: asked as readonly string[] };
  }
}
