import { defineAgent } from "flowsheet/agents";
import type { Remark } from "./note.js";

export const Longest = defineAgent(({ notes }: { readonly notes: readonly Remark[] }) =>
  notes.map(({ by }) => by).reduce((a, b) => (a.length > b.length ? a : b), ""),
);
