import type { WaitEnd, WaitingFor } from "../../graph/contract/contract.js";
import { insist } from "../insist.js";
import { isGoneWait, type Lease, type WaitEnding, type WaitRow } from "../rows.js";
import type { DurableStore } from "../store.js";
import { AskedWaits } from "./asked-waits.js";
import type { OpenedWait } from "./journal.js";
import type { Suspension } from "./leg-store.js";
import type { Lost } from "./leg-writer.js";
import { newWait } from "./open-wait.js";

export interface LegWaitsOptions {
  readonly store: Pick<DurableStore, "openWait" | "endWait">;
  readonly lease: Lease;
  /** Stops the leg, and gives what it is stopped with. */
  readonly lost: () => Lost;
}

/** The end of a wait, with who answered. */
const endOf = ({ answeredBy: by, endedAt }: WaitRow, ending: WaitEnding): WaitEnd =>
  ending.kind === "over" || endedAt === null ? ending : { ...ending, by, at: endedAt };

/** The questions of one leg, and the ends of them that it knows. */
export class LegWaits {
  readonly #options: LegWaitsOptions;
  readonly #seen = new Set<string>();
  readonly #asked = new AskedWaits();

  constructor(options: LegWaitsOptions) {
    this.#options = options;
  }

  /** Those whose end the leg knows. */
  get seen(): ReadonlySet<string> {
    return this.#seen;
  }

  /** Those that the run still asks. */
  askedBy(waiting: readonly WaitingFor[]): Pick<Suspension, "asked"> {
    return this.#asked.of(waiting);
  }

  /** The ends of those that have ended before this leg. */
  endsOf(waits: readonly WaitRow[]): ReadonlyMap<string, WaitEnd> {
    const ends = new Map<string, WaitEnd>();
    for (const wait of waits)
      if (wait.ending !== null && !isGoneWait(wait)) ends.set(wait.id, endOf(wait, wait.ending));
    for (const id of ends.keys()) this.#seen.add(id);
    return ends;
  }

  async open(id: string, opened: OpenedWait, seq: number): Promise<WaitEnd> {
    const { store, lease, lost } = this.#options;
    const wait = newWait(opened, { id, seq, opened: Date.now() });
    let row = await insist(() => store.openWait(lease, wait));
    if (row !== null && row.ending === null && row.until !== null && row.until <= Date.now())
      row = await this.end(id, Date.now());
    if (row === null) throw lost();
    if (row.ending === null || isGoneWait(row)) {
      this.#asked.add(row);
      return { kind: "open", until: row.until };
    }
    this.#seen.add(id);
    return endOf(row, row.ending);
  }

  /** The row as it then is: an answer may have come before. */
  async end(id: string, at: number): Promise<WaitRow> {
    const { store, lease, lost } = this.#options;
    const row = await insist(() => store.endWait(lease, id, { kind: "over", at }));
    if (row === null) throw lost();
    this.#seen.add(id);
    return row;
  }
}
