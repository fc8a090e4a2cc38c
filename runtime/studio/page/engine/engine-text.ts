import type { WorldData } from "../../world-data.js";
import type { Engine } from "./engine.js";
import type { Understood } from "./messages.js";
import { splicesBetween } from "./splices.js";

/** The compiler cuts a text without its mark. */
const unmarked = (text: string): string => (text.startsWith("\ufeff") ? text.slice(1) : text);

/** Keeps the compiler's text as the page's is: one question is under way, and the last wish waits. */
export class EngineText {
  readonly #engine: Engine;
  readonly #take: (understood: Understood, world: WorldData) => void;
  #known: string | null = null;
  #wanted: string;
  #work: Promise<void> | null = null;
  readonly #file: string;
  #world: Promise<WorldData>;
  #hasNewWorld = false;
  /** The compiler of this page has another sheet. */
  #isAside = false;

  constructor(
    engine: Engine,
    file: string,
    text: string,
    world: Promise<WorldData>,
    take: (understood: Understood, world: WorldData) => void,
  ) {
    this.#engine = engine;
    this.#file = file;
    this.#wanted = unmarked(text);
    this.#world = world;
    this.#take = take;
  }

  want(text: string): void {
    this.#wanted = unmarked(text);
    this.#begin();
  }

  wantWorld(world: Promise<WorldData>): void {
    this.#world = world;
    this.#hasNewWorld = true;
    this.#isAside = false;
    this.#begin();
  }

  /** Who waits for it hears why it failed: the world did not come. */
  #begin(): void {
    this.settled().catch(() => {});
  }

  /** Another sheet is opened: this one is opened anew when its world is wanted again. */
  forget(): void {
    this.#known = null;
    this.#isAside = true;
  }

  /** The compiler has the text that is wanted. */
  async settled(): Promise<void> {
    while (!this.#isAside && (this.#work !== null || this.#isBehind())) {
      this.#work ??= this.#bring().finally(() => {
        this.#work = null;
      });
      await this.#work;
    }
  }

  #isBehind(): boolean {
    return this.#known !== this.#wanted || this.#hasNewWorld;
  }

  async #bring(): Promise<void> {
    const promised = this.#world;
    const world = await promised;
    if (this.#isAside) return;
    const [known, text] = [this.#known, this.#wanted];
    const isNew = this.#hasNewWorld;
    this.#hasNewWorld = this.#world !== promised;
    this.#known = text;
    const understood =
      known === null
        ? await this.#engine.ask({ kind: "open", file: this.#file, text, world })
        : isNew
          ? await this.#renew(known, text, world)
          : await this.#engine.ask({ kind: "edit", splices: splicesBetween(known, text) });
    // A newer wish makes this answer an old one.
    if (!this.#isBehind()) this.#take(understood, world);
  }

  async #renew(known: string, text: string, world: WorldData): Promise<Understood> {
    if (known !== text) await this.#engine.ask({ kind: "edit", splices: splicesBetween(known, text) });
    return this.#engine.ask({ kind: "world", world });
  }
}
