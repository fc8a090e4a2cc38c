import { defineAgent } from "flowsheet/agents";
import type { Page } from "./reader.js";

export const RateAgent = defineAgent(({ page }: { readonly page: Page }) => ({
  score: page.words,
  why: `it has ${page.words} words`,
}));
