import type { KeyLine } from "../shell/key-line.js";

/** What the picture does at keys. It listens itself. */
export const PICTURE_KEYS: readonly KeyLine[] = [
  { keys: ["Arrows"], says: "follow the edges" },
  { keys: ["Insert"], says: "put a step behind the node" },
  { keys: ["Enter"], says: "go to the node's row" },
  { keys: ["+", "-", "0"], says: "nearer, farther, the whole graph" },
];
