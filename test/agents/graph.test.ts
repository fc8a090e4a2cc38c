import type { AgentContext } from "flowsheet";
import { describe, expect, it } from "vitest";
import { createProject, type SheetRow, sheetText } from "./sheet.js";

const call = (graph: string, rest: Partial<SheetRow> = {}, settings: object = {}): SheetRow => ({
  node: "Call",
  agent: "graph",
  context: { graph, ...settings },
  ...rest,
});
const price: SheetRow = {
  graph: "Price",
  node: "Look",
  agent: "echo",
  inputs: "item:string|currency?",
  outputs: "price",
  prompt: "12{currency} for {item}",
};
const handler: SheetRow = {
  node: "Handle",
  agent: "echo",
  inputs: "error",
  outputs: "handled",
  prompt: "{error}",
};

describe("a graph runs another", () => {
  it("gives it its mapped inputs and nothing else, and takes fields of its final state", async () => {
    const { run } = createProject([
      call("Price", { inputs: "item=product|spare", outputs: "price=cost|error" }),
      price,
    ]);
    const result = await run({ product: "tea", currency: "EUR", spare: 1 });
    expect(result).toMatchObject({ status: "completed", path: ["Call"], steps: 2 });
    expect(result.state).toEqual({ product: "tea", currency: "EUR", spare: 1, cost: "12 for tea" });
  });

  it("a single output of type object that is no field of it takes the whole state", async () => {
    const { run } = createProject([call("Price", { inputs: "item", outputs: "all:object" }), price]);
    expect((await run({ item: "ink" })).state["all"]).toEqual({ item: "ink", price: "12 for ink" });
  });

  it("what the graph has not set stays unset", async () => {
    const { run } = createProject([
      call("Maybe", { inputs: "x", outputs: "yes|no" }),
      { graph: "Maybe", node: "Is", agent: "branching", inputs: "x", success: "Yes", failure: "No" },
      { graph: "Maybe", node: "Yes", agent: "echo", outputs: "yes", prompt: "y" },
      { graph: "Maybe", node: "No", agent: "echo", outputs: "no", prompt: "n" },
    ]);
    expect((await run({ x: "yes" })).state).toEqual({ x: "yes", yes: "y" });
    expect((await run({ x: "no" })).state).toEqual({ x: "no", no: "n" });
  });

  it("a signalled failure at its end is the node's; a thrown error is thrown with its message", async () => {
    const agents = {
      Boom: () => {
        throw new Error("the shop is closed");
      },
    };
    const rows = [
      call("Child", { inputs: "x", outputs: "y", failure: "Handle" }),
      handler,
      { graph: "Child", node: "Is", agent: "branching", inputs: "x", success: "Boom", failure: "Fail" },
      { graph: "Child", node: "Boom", agent: "boom", outputs: "y" },
      { graph: "Child", node: "Fail", agent: "failure", outputs: "y", prompt: "not today" },
    ];
    const { run } = createProject(rows, { agents });
    expect((await run({ x: "yes" })).state["handled"]).toBe("the shop is closed");
    expect(await run({ x: "no" })).toMatchObject({
      status: "completed",
      path: ["Call", "Handle"],
      state: { y: "not today", handled: "not today" },
    });
    const [first, , ...rest] = rows;
    const plain = createProject([{ ...(first as SheetRow), failure: "" }, ...rest], { agents });
    expect(await plain.run({ x: "yes" })).toMatchObject({
      status: "failed",
      error: { code: "agent_failed", message: "the shop is closed", graph: "Main", node: "Call", cell: "E2" },
    });
  });

  it("a retry begins it anew", async () => {
    let calls = 0;
    const agents = {
      Flaky: () => {
        calls += 1;
        if (calls < 3) throw new Error(`failed ${calls}`);
        return `worked ${calls}`;
      },
    };
    const { run } = createProject(
      [
        call("Child", { outputs: "y" }, { retry: 3 }),
        { graph: "Child", node: "F", agent: "flaky", outputs: "y" },
      ],
      { agents },
    );
    expect(await run()).toMatchObject({ state: { y: "worked 3" }, path: ["Call"], steps: 4 });
  });

  it("R01: its visits count towards the limit, which no handler takes", async () => {
    const { run } = createProject([
      call("Spin", { inputs: "x", failure: "Handle" }),
      handler,
      { graph: "Spin", node: "S", next: "T", agent: "echo", inputs: "x", outputs: "y" },
      {
        graph: "Spin",
        node: "T",
        agent: "branching",
        inputs: "y",
        context: { when: { y: "never" } },
        success: "END",
        failure: "S",
      },
    ]);
    const result = await run({ x: "1" }, "Main", { maxSteps: 50 });
    expect(result).toMatchObject({
      status: "failed",
      path: ["Call"],
      steps: 50,
      error: { code: "step_limit", node: "Call" },
    });
  });

  it("R01: graphs that split into themselves stop at the limit all together", async () => {
    const { run } = createProject([
      { node: "S", next: "A|B", agent: "echo", prompt: "s", outputs: "s" },
      { node: "A", agent: "graph", context: { graph: "Main" }, failure: "H" },
      { node: "B", agent: "graph", context: { graph: "Main" }, failure: "H" },
      { node: "H", agent: "echo", inputs: "error" },
    ]);
    expect(await run({}, "Main", { maxSteps: 300 })).toMatchObject({ status: "failed", steps: 300 });
  });

  it("R01: a recursion is 32 deep at most", async () => {
    const rows = [
      {
        node: "Is",
        agent: "branching",
        inputs: "n:number",
        context: { when: { n: "<1" } },
        success: "END",
        failure: "Less",
      },
      { node: "Less", next: "Again", agent: "less", inputs: "n", outputs: "m:number" },
      {
        node: "Again",
        agent: "graph",
        context: { graph: "Main" },
        inputs: "n=m",
        outputs: "depth=depth:number",
      },
    ];
    const agents = { Less: ({ n }: { n: number }) => n - 1 };
    const { run } = createProject([...rows.slice(0, 2), { ...(rows[2] as SheetRow), outputs: "" }], {
      agents: agents as never,
    });
    expect((await run({ n: 32 })).status).toBe("completed");
    expect(await run({ n: 33 })).toMatchObject({
      status: "failed",
      error: { message: 'graph "Main" is run inside itself or other graphs more than 32 deep' },
    });
  });

  it("R18: a time-out of the node, of the run, and a cancellation reach the agents inside", async () => {
    const signals: AbortSignal[] = [];
    const agents = {
      Hang: (_: object, context: AgentContext) => {
        signals.push(context.signal);
        return new Promise<never>(() => {});
      },
    };
    const rows = (settings: object): readonly SheetRow[] => [
      call("Child", { failure: "Handle" }, settings),
      handler,
      { graph: "Child", node: "H", agent: "hang" },
    ];
    const own = await createProject(rows({ timeout_ms: 30 }), { agents }).run();
    expect(own).toMatchObject({
      status: "completed",
      state: { handled: "the agent did not finish within 30 ms" },
    });
    const { run } = createProject(rows({}), { agents });
    expect(await run({}, "Main", { timeoutMs: 30 })).toMatchObject({
      error: { code: "run_timeout" },
      path: ["Call"],
    });
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 30);
    expect(await run({}, "Main", { signal: controller.signal })).toMatchObject({ status: "cancelled" });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
  });

  it("what it is given is checked when only the run can tell", async () => {
    const { run } = createProject([
      call("Child", { inputs: "n=data.n", failure: "Handle" }),
      handler,
      { graph: "Child", node: "N", agent: "echo", inputs: "n:number", outputs: "m" },
    ]);
    expect((await run({ data: { n: "ten" } })).state["handled"]).toBe(
      'input "n" of graph "Child" must be number, not "ten"',
    );
    expect((await run({ data: {} })).state["handled"]).toBe(
      'graph "Child" needs the input "n", which is not given to it',
    );
  });

  it("keys of visits, logs and services are those of one run; a trace shows the visits inside", async () => {
    const keys: string[] = [];
    const agents = {
      Key: (_: object, { key, runId, services }: AgentContext) => {
        keys.push(key.replace(runId, "run"), String(services["lent"]));
        return "k";
      },
    };
    const rows = [call("Child", { outputs: "y" }), { graph: "Child", node: "K", agent: "key", outputs: "y" }];
    const { run } = createProject(rows, { agents, services: { lent: "a service" } });
    const shown: string[] = [];
    const on = (event: { readonly type: string; readonly node?: string; readonly parent?: string }): void => {
      shown.push(
        `${event.type} ${event.node ?? ""}${event.parent === undefined ? "" : ` in ${event.parent}`}`,
      );
    };
    await run({}, "Main", { on });
    expect(shown).toEqual(["node_start Call", "node_end Call", "run_end "]);
    shown.length = 0;
    await run({}, "Main", { on, trace: true });
    expect(shown).toEqual([
      "node_start Call",
      "node_start Call/K in Call",
      "node_end Call/K in Call",
      "node_end Call",
      "run_end ",
    ]);
    expect(keys.slice(0, 2)).toEqual(["run/Call/1/K/1", "a service"]);
  });

  it("stand-ins and answers reach into it", async () => {
    const { flowsheet, folder } = createProject(
      [
        call("Child", { outputs: "y|z" }),
        { graph: "Child", node: "A", next: "B", agent: "nobody_has_this", outputs: "y" },
        { graph: "Child", node: "B", agent: "input", outputs: "z", prompt: "And?" },
      ],
      { agents: { "nobody has this": () => "real" } },
    );
    const graph = await flowsheet.load(`${folder}/sheet.csv`, "Main");
    const asked: string[] = [];
    const result = await graph.run(
      {},
      {
        nodes: { "Call/A": () => "stand-in" } as never,
        ask: ({ node }) => {
          asked.push(node);
          return "answer";
        },
      },
    );
    expect(result.state).toEqual({ y: "stand-in", z: "answer" });
    expect(asked).toEqual(["Call/B"]);
  });
});

describe("a graph of another sheet", () => {
  const other = sheetText([
    { ...price, graph: "Price" },
    { graph: "Both", node: "B", agent: "echo", outputs: "b", prompt: "from the other" },
  ]);
  it("goes by its name, or with its sheet", async () => {
    for (const name of ["Price", "other::Price"]) {
      const { run } = createProject([call(name, { inputs: "item", outputs: "price" })], {
        files: { "other.csv": other },
      });
      expect((await run({ item: "tea" })).state["price"]).toBe("12 for tea");
    }
  });

  it("one of the own sheet goes first; its own sheet may be named as well", async () => {
    const own = { graph: "Both", node: "B", agent: "echo", outputs: "b", prompt: "from this one" };
    for (const [name, from] of [
      ["Both", "from this one"],
      ["sheet::Both", "from this one"],
      ["other::Both", "from the other"],
    ]) {
      const { run } = createProject([call(name as string, { outputs: "b" }), own], {
        files: { "other.csv": other },
      });
      expect((await run()).state["b"]).toBe(from);
    }
  });

  it("a name that several sheets have needs its sheet", async () => {
    const { run } = createProject([call("Both", { outputs: "b" })], {
      files: { "other.csv": other, "third.csv": other },
    });
    await expect(run()).rejects.toMatchObject({
      code: "workflow_invalid",
      diagnostics: [{ code: "unknown-graph", help: 'did you mean "other::Both"?' }],
    });
  });

  it("its errors keep the run from beginning, and a change of it is seen", async () => {
    const { run, folder } = createProject([call("Price", { inputs: "item", outputs: "price" })], {
      files: { "other.csv": other.replace("{item}", "{itme}") },
    });
    await expect(run({ item: "tea" })).rejects.toMatchObject({
      code: "workflow_invalid",
      message: expect.stringContaining("other.csv"),
    });
    const { writeFileSync } = await import("node:fs");
    writeFileSync(`${folder}/other.csv`, other);
    expect((await run({ item: "tea" })).state["price"]).toBe("12 for tea");
    writeFileSync(`${folder}/other.csv`, other.replace("12{", "13{"));
    expect((await run({ item: "tea" })).state["price"]).toBe("13 for tea");
  });
});
