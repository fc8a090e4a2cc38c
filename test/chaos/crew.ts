import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { PostgresServer } from "../postgres/server.js";
import type { Trial } from "./matrix.js";

/** How long a process is stopped, which is longer than its lease. */
const STOPPED_MS = 4_000;
/** How long a server is away between its stop and its start. */
const AWAY_MS = 500;

/** The workers, and what befalls them. */
export class Crew {
  disturbed = 0;
  restarts = 0;
  readonly #trial: Trial;
  readonly #given: readonly string[];
  readonly #workers: { readonly process: ChildProcess; readyAt: number }[] = [];
  readonly #timer: NodeJS.Timeout;
  readonly #folder: string;
  #restarting: Promise<void> | null = null;

  constructor(trial: Trial, given: readonly string[], folder: string) {
    this.#trial = trial;
    this.#given = given;
    this.#folder = folder;
    for (let i = 0; i < trial.workers; i++) this.#hire(i);
    this.#timer = setInterval(() => this.#disturb(), 60);
  }

  #hire(index: number): void {
    const child = spawn(process.execPath, [this.#trial.worker, ...this.#given], {
      // On a server they have nothing but that in common.
      cwd: mkdtempSync(join(this.#folder, "worker-")),
      stdio: ["ignore", "pipe", "inherit"],
    });
    const one = { process: child, readyAt: Number.POSITIVE_INFINITY };
    child.stdout.once("data", () => {
      one.readyAt = performance.now();
    });
    this.#workers[index] = one;
  }

  #disturb(): void {
    const { server, restarts = 0, disturbances } = this.#trial;
    const isTime = this.disturbed > ((this.restarts + 1) * disturbances) / (restarts + 1);
    if (server !== undefined && this.restarts < restarts && isTime && this.#restarting === null)
      this.#restarting = this.#restart(server);
    const index = Math.floor(Math.random() * this.#trial.workers);
    const one = this.#workers[index]!;
    const isBusy = performance.now() - one.readyAt > 100 + Math.random() * 400;
    if (this.disturbed >= this.#trial.disturbances || !isBusy) return;
    this.disturbed += 1;
    const { disturbance } = this.#trial;
    one.process.kill(disturbance);
    if (disturbance !== "SIGSTOP") this.#hire(index);
    else {
      one.readyAt = Number.POSITIVE_INFINITY;
      setTimeout(() => {
        one.process.kill("SIGCONT");
        one.readyAt = performance.now();
      }, STOPPED_MS).unref();
    }
  }

  async #restart(server: PostgresServer): Promise<void> {
    this.restarts += 1;
    await server.stop(this.restarts % 2 === 1 ? "fast" : "immediate");
    await pause(AWAY_MS);
    await server.start();
    this.#restarting = null;
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#restarting;
    for (const { process: child } of this.#workers) child.kill("SIGKILL");
  }
}
