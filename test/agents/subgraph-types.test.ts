import { echo, subgraph, subgraphEach } from "flowsheet/agents";
import { defineGraph, type Graph, type Node, nodeOf, type Reads, text } from "flowsheet/graph";
import { expect, it } from "vitest";

// What generated modules of two graphs look like that call each other.

interface PriceInput {
  readonly order: string;
}
interface PriceState extends PriceInput {
  readonly price: string;
  readonly note?: string;
}
interface PriceNodes {
  Look: Node<typeof echo<string>, "price">;
}
const priceNode = nodeOf<PriceState>();
const price: Graph<PriceInput, PriceState, PriceNodes> = defineGraph<PriceInput, PriceState>()({
  name: "Price",
  entry: "Look",
  nodes: {
    Look: priceNode(echo<string>, {
      inputs: ({ order }: Reads<PriceState, "order">) => ({ order }),
      prompt: ({ order }) => `12 for ${text(order)}`,
      writes: ["price"],
    }),
  },
  routes: { Look: {} },
  fingerprint: "price",
});

interface ShopInput {
  readonly orders: readonly string[];
  readonly first: string;
}
interface ShopState extends ShopInput {
  readonly prices: readonly string[];
  readonly one: string;
  readonly note?: string;
}
interface ShopNodes {
  One: Node<typeof onePrice, "one" | "note">;
  All: Node<typeof eachPrice, "prices">;
}
const onePrice = subgraph(() => price);
const eachPrice = subgraphEach(() => price);
const shopNode = nodeOf<ShopState>();
const shop: Graph<ShopInput, ShopState, ShopNodes> = defineGraph<ShopInput, ShopState>()({
  name: "Shop",
  entry: "One",
  nodes: {
    One: shopNode(onePrice, {
      inputs: ({ first }: Reads<ShopState, "first">) => ({ order: first }),
      writes: [{ field: "one", key: "price" }, "note"],
    }),
    All: shopNode(eachPrice, {
      inputs: ({ orders }: Reads<ShopState, "orders">) => ({ orders }),
      writes: { field: "prices", key: "price" },
      settings: { over: "orders", as: "order", concurrency: 2 },
    }),
  },
  routes: { One: { next: "All" }, All: {} },
  fingerprint: "shop",
});

it("generated modules call each other with the types of their graphs", async () => {
  const result = await shop.run({ orders: ["tea", "ink"], first: "milk" });
  expect(result).toMatchObject({ status: "completed", path: ["One", "All"], steps: 3 });
  expect(result.state).toEqual({
    orders: ["tea", "ink"],
    first: "milk",
    one: "12 for milk",
    prices: ["12 for tea", "12 for ink"],
  });
});

it("stand-ins reach into graphs; those of the graph itself keep their types", async () => {
  const nodes = { "One/Look": () => "7", "All/Look": () => "8" };
  expect((await shop.run({ orders: ["tea"], first: "milk" }, { nodes })).state).toMatchObject({
    one: "7",
    prices: ["8"],
  });
  // @ts-expect-error there is no node of this name
  await shop.run({ orders: [], first: "" }, { nodes: { Look: () => "7" } });
  // @ts-expect-error the price is a text
  await shop.run({ orders: [], first: "" }, { nodes: { One: () => ({ price: 7 }) } });
});

it("a graph of another type of input or output is refused by the compiler", () => {
  shopNode(onePrice, {
    // @ts-expect-error the graph takes an order, which is a text
    inputs: () => ({ order: 12 }),
    writes: { field: "one", key: "price" },
  });
  // @ts-expect-error a list of texts is no text
  const each: Node<typeof eachPrice, "one"> = shopNode(eachPrice, {
    inputs: ({ orders }: Reads<ShopState, "orders">) => ({ orders }),
    writes: { field: "one", key: "price" },
  });
  expect([shop.name, each.writes]).toEqual(["Shop", { field: "one", key: "price" }]);
});
