import { Agent, fail } from "flowsheet/agents";

export class StockAgent extends Agent<{ readonly item: string }, number> {
  override process({ item }: { readonly item: string }) {
    const left = item.length - 3;
    return left > 0 ? left : fail("sold out");
  }
}
