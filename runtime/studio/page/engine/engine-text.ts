import type { WorldData } from "../../world-data.js";
import type { Engine } from "./engine.js";
import type { Understood } from "./messages.js";
import { splicesBetween } from "./splices.js";

/** The compiler cuts a text without its mark. */
const unmarked = (text: string): string => (text.startsWith("\ufeff") ? text.slice(1) : text);

/** Keeps the compiler's text as the page's is: one question is under way, and the last wish waits. */
export class EngineText {
  readonly #engine: Engine;
  readonly #take: (understood: Understood) => void;
  #known: string | null = null;
  #wanted: string;
  #work: Promise<void> | null = null;
  readonly #file: string;
  #world: WorldData;
  #hasNewWorld = false;

  constructor(
    engine: Engine,
    file: string,
    text: string,
    world: WorldData,
    take: (understood: Understood) => void,
  ) {
    this.#engine = engine;
    this.#file = file;
    this.#wanted = unmarked(text);
    this.#world = world;
    this.#take = take;
  }

  want(text: string): void {
    this.#wanted = unmarked(text);
    void this.settled();
  }

  wantWorld(world: WorldData): void {
    this.#world = world;
    this.#hasNewWorld = true;
    void this.settled();
  }

  /** The compiler of this page has another sheet now: this one is opened anew when it is wanted. */
  forget(): void {
    this.#known = null;
  }

  /** The compiler has the text that is wanted. */
  async settled(): Promise<void> {
    while (this.#work !== null || this.#isBehind()) {
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
    const [known, text, world] = [this.#known, this.#wanted, this.#world];
    const isNew = this.#hasNewWorld;
    this.#hasNewWorld = false;
    this.#known = text;
    const understood =
      known === null
        ? await this.#engine.ask({ kind: "open", file: this.#file, text, world })
        : isNew
          ? await this.#renew(known, text, world)
          : await this.#engine.ask({ kind: "edit", splices: splicesBetween(known, text) });
    // A newer wish makes this answer an old one.
    if (!this.#isBehind()) this.#take(understood);
  }

  async #renew(known: string, text: string, world: WorldData): Promise<Understood> {
    if (known !== text) await this.#engine.ask({ kind: "edit", splices: splicesBetween(known, text) });
    return this.#engine.ask({ kind: "world", world });
  }
}
