import { expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";
import { sheetOf } from "../cli/sheets.js";

const STOCK = `import { Agent, fail } from "flowsheet";
export class StockAgent extends Agent<{ item: string }, number> {
  override process({ item }: { item: string }) {
    return item === "" ? fail("no item") : item.length;
  }
}
`;
const PAY = `import { defineAgent } from "flowsheet";
export const PayAgent = defineAgent(({ left }: { left: number }) => "paid " + left);
`;
const HEADER =
  "graph_name,node_name,next_node,agent_type,next_on_success,next_on_failure,input_fields,output_field";
const PAYS = "Order,Pay,,pay,,,left,receipt";

const project = (reserve: string): string =>
  createFolder({
    "agents/stock.ts": STOCK,
    "agents/pay.ts": PAY,
    "order.csv": sheetOf(HEADER, reserve, PAYS),
  });

test("what an agent that declares a failure leaves unset is told where modules are made", async () => {
  const cwd = project("Order,Reserve,Pay,stock,,,item,left");
  const { code, stderr } = await flowsheet(["compile", "order.csv"], { cwd });
  expect(code).toBe(0);
  expect(stderr).toContain('warning maybe-unset: "left" may have no value yet when "Pay" reads it');
  expect(stderr).toContain("cell G3 · graph Order · node Pay");
  expect(stderr).toContain('"Reserve" may fail without it');
  expect(await flowsheet(["validate", "order.csv", "--strict"], { cwd })).toMatchObject({ code: 0 });
  const types = await flowsheet(["validate", "--types", "order.csv"], { cwd });
  expect(types.code).toBe(1);
  expect(types.stdout).toContain(
    'error type-mismatch: "left" may be unset, but agent "pay" of "Pay" needs number',
  );
  const { code: scaffolded } = await flowsheet(
    ["scaffold", "--agent", "Pay", "--csv", "order.csv", "--force"],
    { cwd },
  );
  expect(scaffolded).toBe(0);
  expect((await flowsheet(["validate", "--types", "order.csv"], { cwd })).code).toBe(0);
});

test("doctor takes modules for up to date that compile has just written", async () => {
  const cwd = project("Order,Reserve,Pay,stock,,,item,left");
  expect(await flowsheet(["compile"], { cwd })).toMatchObject({ code: 0 });
  const { stdout } = await flowsheet(["doctor"], { cwd });
  expect(stdout).toContain("generated");
  expect(stdout).not.toContain("stale");
});

test("a failure that goes elsewhere leaves nothing unset", async () => {
  const cwd = project("Order,Reserve,,stock,Pay,END,item,left");
  expect(await flowsheet(["validate", "--types", "order.csv"], { cwd })).toMatchObject({ code: 0 });
  expect(await flowsheet(["compile", "order.csv"], { cwd })).toMatchObject({ code: 0, stderr: "" });
});
