import type { Project } from "../config/folders.js";
import type { Logger } from "../graph/contract/contract.js";
import type { Runner } from "../runs/runner.js";
import type { Catalogue } from "../workflows/catalogue.js";
import type { Metrics } from "./metrics.js";
import type { Readiness } from "./readiness.js";
import type { Shares } from "./shares.js";
import type { SheetChecks } from "./sheets/sheet-checks.js";
import type { Slots } from "./slots.js";

/** What the routes work with. */
export interface Service {
  readonly catalogue: Catalogue;
  readonly project: Project;
  readonly runner: Runner;
  readonly slots: Slots;
  readonly sheetChecks: SheetChecks;
  /** Bodies that are on their way. */
  readonly receiving: Shares;
  readonly metrics: Metrics;
  /** Whether runs would find what they need. */
  readonly readiness: () => Promise<Readiness>;
  readonly log: Logger;
  readonly version: string;
  /** When the service began, by the clock that never jumps. */
  readonly began: number;
  readonly limits: ServiceLimits;
  /** The folder of static files; null without one. */
  readonly staticFolder: string | null;
  /** What stands before every path; empty when nothing does. */
  readonly basePath: string;
  /** Where the package keeps the pages' assets. */
  readonly assets: string;
}

export interface ServiceLimits {
  /** Bytes of a body: of a request to run, and of a sheet to check. */
  readonly body: number;
  readonly sheet: number;
  /** So many runs may wait for answers. */
  readonly waiting: number;
  /** The longest time that a request may give a run. */
  readonly runMs: number;
}
