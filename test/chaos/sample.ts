import fc from "fast-check";
import { runs } from "../property/generators/graphs.js";
import type { Play } from "./plays.js";

/** Random graphs with their scripts, the same ones for a seed. */
export const samplePlays = (count: number, seed = 7): readonly Play[] =>
  fc.sample(runs({ clean: true, maxSteps: 100 }), { numRuns: count, seed });
