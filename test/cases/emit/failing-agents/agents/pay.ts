import { defineAgent } from "flowsheet/agents";

export const Pay = defineAgent(
  ({ item, left }: { readonly item: string; readonly left: number }) => `${item} 1/${left}`,
);
