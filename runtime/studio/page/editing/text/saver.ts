import type { SheetEdit } from "../../../edits/edit.js";
import type { SheetRecords } from "../../../edits/records.js";
import type { DiskText, OwnEdits } from "./own-edits.js";

/** What keeps edits from the disk. `gone`: there is no such file any more. */
export type SaveFault =
  | { readonly kind: "changed" }
  | { readonly kind: "gone" }
  | { readonly kind: "refused"; readonly why: string };

/** The sheet on the server. A fault is an answer; what is thrown is a connection that broke. */
export interface SheetPort {
  readonly read: () => Promise<DiskText | { readonly kind: "gone" }>;
  /** Writes on this text alone; answers the tag of the new one. */
  readonly write: (edits: readonly SheetEdit[], etag: string) => Promise<string | SaveFault>;
  /** Writes a file that is not there. */
  readonly create: (text: string) => Promise<string | SaveFault>;
}

export type SaveState =
  | { readonly kind: "saved" }
  | { readonly kind: "saving" }
  /** Nothing is written before somebody has looked at it. */
  | { readonly kind: "draft" }
  | { readonly kind: "unsaved"; readonly why: string }
  | { readonly kind: "gone" };

export interface SaverSetup {
  /** Whether each edit is written by itself, or all together when `flush` is called. */
  readonly each: boolean;
  readonly own: OwnEdits;
  readonly port: SheetPort;
  /** Does the work later; answers what calls it off. */
  readonly later: (ms: number, work: () => void) => () => void;
  readonly told: (state: SaveState) => void;
  /** The text of the disk is another one, with the own edits on it. `before` is what was shown. */
  readonly rebased: (before: SheetRecords) => void;
}

const QUIET_MS = 250;
const AGAIN_MS = 2_000;
const NO_ANSWER = "the server does not answer";

/** Brings own edits to the disk, and the disk's to the page: one request at a time. */
export class Saver {
  readonly #setup: SaverSetup;
  #state: SaveState = { kind: "saved" };
  #callOff: (() => void) | null = null;
  #work: Promise<void> | null = null;
  /** Somebody has written, or may have. */
  #isStale = false;
  #heard: string | null = null;
  #mayWrite: boolean;

  constructor(setup: SaverSetup) {
    this.#setup = setup;
    this.#mayWrite = setup.each;
  }

  get state(): SaveState {
    return this.#state;
  }

  /** There are new edits, which are sent after a moment. */
  changed(): void {
    if (this.#state.kind === "gone") return;
    if (!this.#setup.each) {
      this.#tell(this.#atRest());
      return;
    }
    if (this.#state.kind === "saved" && this.#setup.own.toSend().length > 0) this.#tell({ kind: "saving" });
    if (this.#state.kind !== "unsaved") this.#wait(QUIET_MS);
  }

  /** The file has another text; null: it is gone. */
  heard(etag: string | null): void {
    if (etag !== null && etag === this.#setup.own.disk.etag && this.#state.kind !== "gone") return;
    this.#isStale = true;
    this.#heard = etag;
    this.#wait(0);
  }

  /** Sends what there is to send at once. False when it could not be saved. */
  async flush(): Promise<boolean> {
    this.#mayWrite = true;
    try {
      return await this.#flush();
    } finally {
      this.#mayWrite = this.#setup.each;
    }
  }

  async #flush(): Promise<boolean> {
    for (let round = 0; round < 20 && this.#isOpen(); round++) {
      this.#callOff?.();
      await this.#run();
      if (this.#state.kind === "unsaved" || this.#state.kind === "gone") return false;
    }
    return !this.#isOpen();
  }

  /** Writes a file again that is gone, as it is shown. */
  async createAgain(): Promise<void> {
    const { own, port } = this.#setup;
    const { text } = own.records;
    const answer = await port.create(text).catch(() => null);
    if (typeof answer === "string") own.created({ text, etag: answer });
    this.#isStale = true;
    this.#tell({ kind: "saving" });
    await this.flush();
  }

  #isOpen(): boolean {
    const isToWrite = this.#mayWrite && this.#setup.own.toSend().length > 0;
    return this.#work !== null || this.#isStale || isToWrite;
  }

  /** What is said while nothing is under way. */
  #atRest(): SaveState {
    if (this.#setup.own.toSend().length === 0) return { kind: "saved" };
    return this.#mayWrite ? { kind: "saving" } : { kind: "draft" };
  }

  #wait(ms: number): void {
    this.#callOff?.();
    this.#callOff = this.#setup.later(ms, () => void this.#run());
  }

  /** One at a time: who comes while another is under way waits for that. */
  async #run(): Promise<void> {
    if (this.#work !== null) return this.#work;
    this.#work = this.#round().finally(() => {
      this.#work = null;
    });
    await this.#work;
    if (this.#state.kind === "gone") return;
    if (this.#state.kind !== "unsaved") {
      if (this.#isOpen()) this.#wait(0);
    } else if (this.#setup.each || this.#isStale) this.#wait(AGAIN_MS);
  }

  async #round(): Promise<void> {
    try {
      const fault = this.#isStale ? await this.#read() : this.#mayWrite ? await this.#send() : null;
      if (fault !== null) this.#fail(fault);
      else this.#tell(this.#isStale ? { kind: "saving" } : this.#atRest());
    } catch {
      this.#tell({ kind: "unsaved", why: NO_ANSWER });
    }
  }

  async #read(): Promise<SaveFault | null> {
    const { own, port, rebased } = this.#setup;
    this.#isStale = false;
    try {
      const disk = await port.read();
      if ("kind" in disk) return disk;
      if (disk.etag === own.disk.etag) return null;
      const before = own.records;
      own.rebase(disk);
      rebased(before);
      return null;
    } catch (error) {
      this.#isStale = true;
      throw error;
    }
  }

  async #send(): Promise<SaveFault | null> {
    const { own, port } = this.#setup;
    const edits = own.toSend();
    if (edits.length === 0) return null;
    try {
      const answer = await port.write(edits, own.disk.etag);
      if (typeof answer !== "string") return answer;
      own.sent(edits.length, answer);
      // What was heard in the meantime was this write.
      if (this.#heard === answer) this.#isStale = false;
      return null;
    } catch (error) {
      // The answer was lost, so the edits may be on the disk or not.
      this.#isStale = true;
      throw error;
    }
  }

  #fail(fault: SaveFault): void {
    if (fault.kind === "changed") this.#isStale = true;
    const { kind } = fault;
    this.#tell(
      kind === "refused"
        ? { kind: "unsaved", why: fault.why }
        : kind === "gone"
          ? { kind }
          : { kind: "saving" },
    );
  }

  #tell(state: SaveState): void {
    if (state.kind === this.#state.kind && whyOf(state) === whyOf(this.#state)) return;
    this.#state = state;
    this.#setup.told(state);
  }
}

const whyOf = (state: SaveState): string => (state.kind === "unsaved" ? state.why : "");
