// The measured graphs: each as the text of a sheet, and as the modules a person would write instead.
//
// "bare" is a line of awaits on one object with all its fields from the start, the fastest that such code can be.
// "careful" does at each step what a run does: it keeps the path, looks whether it was aborted, catches what is
// thrown, takes failures for answers, and checks that what is written is JSON data.

/**
 * @typedef {object} Shape
 * @property {string} id names the graph, its sheet and its modules
 * @property {number} visits of nodes in one run
 * @property {Record<string, unknown>} input
 * @property {string} sheet
 * @property {string} bare
 * @property {string} careful
 */

const range = (count) => Array.from({ length: count }, (_, i) => i);
const lines = (parts) => parts.join("\n");

const HEADER =
  "graph_name,node_name,next_node,agent_type,next_on_success,next_on_failure,input_fields,output_field";
const sheetOf = (id, rows) => `${lines([HEADER, ...rows.map((row) => `${id},${row}`)])}\n`;

/** @returns {Shape} A chain: each node reads what the one before it wrote. */
export function linear(mode, size) {
  const agent = { hop: "sayHop", async: "sayAsync", sync: "saySync" }[mode];
  const id = `linear-${mode}-${size}`;
  const read = (i) => (i === 0 ? "start" : `f${i - 1}`);
  const fields = range(size).map((i) => `f${i}`);
  return {
    id,
    visits: size,
    input: { start: "hello" },
    sheet: sheetOf(
      id,
      range(size).map((i) => `N${i},${i === size - 1 ? "" : `N${i + 1}`},${agent},,,value=${read(i)},f${i}`),
    ),
    bare: bareModule([agent], ["start"], fields, [
      ...range(size).map((i) => `  state.f${i} = await ${agent}({ value: state.${read(i)} });`),
      "  return state;",
    ]),
    careful: carefulModule([agent], ["start"], fields, [
      ...range(size).map((i) =>
        carefulStep(`N${i}`, [`state.f${i} = checked(await ${agent}({ value: state.${read(i)} }));`]),
      ),
      '  return { status: "completed", state, path };',
    ]),
  };
}

/** @returns {Shape} A chain in which every second node signals failure; each outcome has its route. */
export function routes(size) {
  const id = `routes-${size}`;
  const read = (i) => (i === 0 ? "start" : `f${i % 2 === 0 ? i - 2 : i - 1}`);
  const next = (i) => (i === size - 1 ? "END" : `N${i + 1}`);
  const fields = [...range(size / 2).map((i) => `f${2 * i}`), "error"];
  const rows = range(size).map((i) =>
    i % 2 === 0
      ? `N${i},,sayHop,${next(i)},Oops,value=${read(i)},f${i}`
      : `N${i},,refuseHop,Oops,${next(i)},value=${read(i)},`,
  );
  return {
    id,
    visits: size,
    input: { start: "hello" },
    sheet: sheetOf(id, [...rows, "Oops,,sayHop,,,value=start,oops"]),
    bare: bareModule(["sayHop", "refuseHop"], ["start"], fields, [
      "  let answer;",
      ...range(size).map((i) =>
        i % 2 === 0
          ? `  answer = await sayHop({ value: state.${read(i)} });
  if (isFailure(answer)) return oops(state);
  state.f${i} = answer;`
          : `  answer = await refuseHop({ value: state.${read(i)} });
  if (!isFailure(answer)) return oops(state);
  state.error = answer.failure;`,
      ),
      "  return state;",
    ]),
    careful: carefulModule(["sayHop", "refuseHop"], ["start"], fields, [
      "  let answer;",
      ...range(size).map((i) => (i % 2 === 0 ? carefulSay(i, read(i)) : carefulRefuse(i, read(i)))),
      '  return { status: "completed", state, path };',
    ]),
  };
}

const carefulSay = (i, field) => `  if (signal?.aborted === true) return cancelled(state, path, signal);
  path.push("N${i}");
  try {
    answer = await sayHop({ value: state.${field} });
    if (isFailure(answer)) return oops(state, path, answer.failure);
    state.f${i} = checked(answer);
  } catch (error) {
    return oops(state, path, error.message);
  }`;

const carefulRefuse = (i, field) => `  if (signal?.aborted === true) return cancelled(state, path, signal);
  path.push("N${i}");
  try {
    answer = await refuseHop({ value: state.${field} });
    if (!isFailure(answer)) return oops(state, path, null);
    state.error = answer.failure;
  } catch (error) {
    state.error = error.message;
  }`;

/** @returns {Shape} Two nodes that go round until a count is reached. */
export function loop(size) {
  const id = `loop-${size}`;
  return {
    id,
    visits: size,
    input: { count: 0, limit: size / 2 },
    sheet: sheetOf(id, ["Step,More,tallyHop,,,count,count", "More,,belowHop,Step,END,count|limit,"]),
    bare: bareModule(
      ["tallyHop", "belowHop"],
      ["count", "limit"],
      ["error"],
      [
        "  for (;;) {",
        "    state.count = await tallyHop({ count: state.count });",
        "    const answer = await belowHop({ count: state.count, limit: state.limit });",
        "    if (isFailure(answer)) {",
        "      state.error = answer.failure;",
        "      return state;",
        "    }",
        "  }",
      ],
    ),
    careful: carefulModule(
      ["tallyHop", "belowHop"],
      ["count", "limit"],
      ["error"],
      [
        "  for (;;) {",
        carefulStep("Step", ["state.count = checked(await tallyHop({ count: state.count }));"]),
        carefulStep("More", [
          "const answer = await belowHop({ count: state.count, limit: state.limit });",
          "    if (isFailure(answer)) {",
          "      state.error = answer.failure;",
          '      return { status: "completed", state, path };',
          "    }",
        ]),
        "  }",
      ],
    ),
  };
}

/** @returns {Shape} One split, and the node where its branches meet. */
export function fanOut(width) {
  const id = `fan-out-${width}`;
  const all = range(width);
  const fields = ["seed", ...all.map((i) => `part${i}`), "whole"];
  const branches = all.map((i) => `B${i}`).join("|");
  return {
    id,
    visits: width + 2,
    input: { start: "hello" },
    sheet: sheetOf(id, [
      `Start,${branches},sayHop,,,value=start,seed`,
      ...all.map((i) => `B${i},Meet,sayHop,,,value=seed,part${i}`),
      "Meet,,sayHop,,,value=part0,whole",
    ]),
    bare: bareModule(["sayHop"], ["start"], fields, [
      "  state.seed = await sayHop({ value: state.start });",
      "  const parts = await Promise.all([",
      ...all.map(() => "    sayHop({ value: state.seed }),"),
      "  ]);",
      ...all.map((i) => `  state.part${i} = parts[${i}];`),
      "  state.whole = await sayHop({ value: state.part0 });",
      "  return state;",
    ]),
    careful:
      carefulModule(["sayHop"], ["start"], fields, [
        carefulStep("Start", ["state.seed = checked(await sayHop({ value: state.start }));"]),
        "  const stop = { aborted: false };",
        "  const branches = await Promise.all([",
        ...all.map((i) => `    branch${i}(state, stop, signal),`),
        "  ]);",
        "  for (const branch of branches) for (const node of branch.path) path.push(node);",
        "  for (const branch of branches) if (branch.error !== null) return failed(state, path, branch.error);",
        ...all.map((i) => `  state.part${i} = branches[${i}].value;`),
        carefulStep("Meet", ["state.whole = checked(await sayHop({ value: state.part0 }));"]),
        '  return { status: "completed", state, path };',
      ]) + lines(all.map(carefulBranch)),
  };
}

const carefulBranch = (i) => `
async function branch${i}(state, stop, signal) {
  const path = [];
  if (stop.aborted || signal?.aborted === true) return { path, value: undefined, error: null };
  path.push("B${i}");
  try {
    return { path, value: checked(await sayHop({ value: state.seed })), error: null };
  } catch (error) {
    stop.aborted = true;
    return { path, value: undefined, error };
  }
}
`;

const begin = (given, fields) =>
  `  const state = { ${[...given.map((one) => `${one}: input.${one}`), ...fields.map((one) => `${one}: undefined`)].join(", ")} };`;

const importOf = (agents) => `import { ${agents.join(", ")} } from "../agents/agents.js";`;

const IS_FAILURE = `
function isFailure(answer) {
  return typeof answer === "object" && answer !== null && "failure" in answer;
}
`;

function bareModule(agents, given, fields, body) {
  return `${importOf(agents)}

export async function run(input) {
${lines([begin(given, fields), ...body])}
}
${IS_FAILURE}
async function oops(state) {
  state.oops = await sayHop({ value: state.start });
  return state;
}
`;
}

const carefulStep = (node, body) => `  if (signal?.aborted === true) return cancelled(state, path, signal);
  path.push("${node}");
  try {
    ${lines(body)}
  } catch (error) {
    return failed(state, path, error);
  }`;

function carefulModule(agents, given, fields, body) {
  return `${importOf(agents)}

export async function run(input, { signal } = {}) {
  const path = [];
${lines([begin(given, fields), ...body])}
}
${IS_FAILURE}
async function oops(state, path, error) {
  if (error !== null) state.error = error;
  path.push("Oops");
  state.oops = checked(await sayHop({ value: state.start }));
  return { status: "completed", state, path };
}

function failed(state, path, error) {
  return { status: "failed", state, path, error: { node: path.at(-1), message: error.message } };
}

function cancelled(state, path, signal) {
  return { status: "cancelled", state, path, error: { node: null, message: String(signal.reason) } };
}

function checked(value) {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (typeof value !== "object") throw new TypeError("this is no JSON data");
  return JSON.parse(JSON.stringify(value));
}
`;
}
