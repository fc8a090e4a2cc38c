import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { type Ended, flowsheet } from "../cli/run.js";
import { modelServer, says, status } from "../llm/server.js";

const EXAMPLES = resolve("examples");

/** Runs an example as a newcomer does: in a folder with the examples and nothing else, without a key. */
function project(files: { readonly [path: string]: string } = {}): {
  readonly folder: string;
  readonly run: (
    ...args: readonly string[]
  ) => Promise<{ readonly code: number | null; readonly told: Told }>;
} {
  const folder = createFolder(files);
  cpSync(EXAMPLES, join(folder, "examples"), { recursive: true });
  const run = async (...args: readonly string[]) => {
    const ended = await flowsheet([...args, "--json"], { cwd: folder });
    return { code: ended.code, told: toldBy(ended) };
  };
  return { folder, run };
}

interface Told {
  readonly run_id: string;
  readonly status: string;
  readonly state: { readonly [field: string]: unknown };
  readonly path: readonly string[];
  readonly waiting: readonly { readonly node: string; readonly options: unknown }[];
  readonly error: unknown;
}

function toldBy({ stdout, stderr }: Ended): Told {
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) as Told;
}

const inputs = (given: { readonly [field: string]: string }): readonly string[] =>
  Object.entries(given).flatMap(([name, value]) => ["--input", `${name}=${value}`]);

test.each(readdirSync(EXAMPLES).filter((name) => name.endsWith(".csv")))(
  "%s has no errors and no warnings, also without a configuration",
  async (name) => {
    const { folder } = project();
    const { code, stdout, stderr } = await flowsheet(["validate", "--strict", `examples/${name}`], {
      cwd: folder,
    });
    expect([code, stdout + stderr]).toEqual([0, expect.stringContaining("no problems")]);
  },
);

describe("ticket-triage.csv", () => {
  const ticket = (kind: string, message: string): readonly string[] => [
    "run",
    "--csv",
    "examples/ticket-triage.csv",
    ...inputs({ kind, customer: "Ada", message }),
  ];

  test("a refund waits for its approval, and goes on with the answer", async () => {
    const { run } = project();
    const waits = await run(...ticket("refund", "My parcel is broken"));
    expect(waits).toMatchObject({
      code: 3,
      told: { status: "suspended", path: ["Sort", "Draft", "Approve"] },
    });
    expect(waits.told.waiting).toEqual([
      expect.objectContaining({ node: "Approve", options: ["send it", "decline"] }),
    ]);
    const answer = JSON.stringify({ answer: "decline", comment: "Please send a photo." });
    const done = await run("resume", waits.told.run_id, "--answer", `Approve=${answer}`);
    expect(done).toMatchObject({
      code: 0,
      told: {
        path: ["Sort", "Draft", "Approve", "Decline", "Close"],
        state: { reply: "Dear Ada, we cannot pay this order back. Please send a photo." },
      },
    });
  });

  test.each([
    ["OUTAGE", "All is dark", ["Sort", "Alarm", "Close"], "customer: Ada / message: All is dark"],
    [
      "question",
      "Where is my parcel?",
      ["Sort", "Route", "Delivery", "Close"],
      "Dear Ada, our delivery desk looks for your parcel.",
    ],
    [
      "question",
      "Who are you?",
      ["Sort", "Route", "Front desk", "Close"],
      "Dear Ada, a person reads this and writes back.",
    ],
    ["praise", "Well done", ["Sort", "Thank", "Close"], "Thank you, Ada!"],
  ])("%s: %s", async (kind, message, path, reply) => {
    const { run } = project();
    const { told } = await run(...ticket(kind.toLowerCase(), message));
    expect(told).toMatchObject({ status: "completed", path, state: { reply, closed: `Replied: ${reply}` } });
  });
});

describe("document-review.csv", () => {
  const begin = [
    "run",
    "--csv",
    "examples/document-review.csv",
    "--input",
    "title=Tea",
    "--input",
    "brief=hot",
  ];

  test("after three comments the editor decides", async () => {
    const { run } = project();
    let now = await run(...begin);
    for (const comment of ["shorter", "longer", "warmer"]) {
      expect(now.told.waiting.map(({ node }) => node)).toEqual(["Review"]);
      now = await run("resume", now.told.run_id, "--answer", "Review=no");
      expect(now.told.waiting.map(({ node }) => node)).toEqual(["Comment"]);
      now = await run("resume", now.told.run_id, "--answer", `Comment=${comment}`);
    }
    now = await run("resume", now.told.run_id, "--answer", "Review=no");
    const round = ["Review", "Comment", "Revise"];
    expect(now).toMatchObject({ code: 0, told: { status: "completed" } });
    expect(now.told.path).toEqual([
      ...["Brief", "Draft", "Check", ...round, ...round, ...round],
      ...["Review", "Escalate"],
    ]);
    expect(now.told.state["outcome"]).toBe(
      "Tea went round three times, the editor decides: Tea: hot [changed: shorter] [changed: longer] [changed: warmer]",
    );
  });

  test("an empty brief is asked for again, until the third visit", async () => {
    const { run } = project();
    let now = await run(...begin.slice(0, -1), "brief=");
    // The node that asks first takes the given brief.
    for (const visit of [1, 2, 3]) {
      expect([visit, now.told.waiting.map(({ node }) => node)]).toEqual([visit, ["AskForMore"]]);
      now = await run("resume", now.told.run_id, "--answer", "AskForMore=");
    }
    expect(now.told).toMatchObject({ status: "completed", state: { outcome: "Tea could not be written" } });
  });

  test("a yes publishes", async () => {
    const { run } = project();
    const { told } = await run(...begin);
    const done = await run("resume", told.run_id, "--answer", "Review=yes");
    expect(done.told).toMatchObject({ state: { outcome: "Published: Tea: hot" } });
  });
});

describe("lead-enrichment.csv", () => {
  const lead = (message: string): readonly string[] => [
    "run",
    "--csv",
    "examples/lead-enrichment.csv",
    ...inputs({ company: "Acme", email: "ada@acme.example", message }),
  ];
  const SPLIT = ["Clean", "Company", "Person", "Interest"];

  test.each([
    ["May we have a demo, please?", "demo", "Sales", "Show this lead a demo:\ncompany: Acme\n"],
    ["What is the price of ten?", "price", "Offer", "Send this lead an offer:\ncompany: Acme\n"],
    ["Hello!", "other", "Newsletter", "Put ada@acme.example (Acme) on the list of the newsletter."],
  ])("%s without a key: the mock answers all three", async (message, interest, node, assignment) => {
    const { told } = await project().run(...lead(message));
    expect(told).toMatchObject({ status: "completed", path: [...SPLIT, "Score", "Route", node] });
    expect(told.state).toMatchObject({ size: "small", role: "unknown", interest });
    expect(told.state["assignment"]).toContain(assignment);
  });

  /** The same sheet with a server in the place of the mock. */
  const configured = (url: string): string =>
    JSON.stringify({
      llm: { providers: { mock: { kind: "openai-compatible", base_url: url, model: "first" } } },
    });

  test("a model that is down is replaced by the fallback", async () => {
    const server = await modelServer((response, asked) => {
      const { model, messages } = asked.body as { model: string; messages: { content: string }[] };
      if (model === "first") status(401)(response, asked);
      else {
        const question = messages.map(({ content }) => content).join("\n");
        const answer = question.includes("industry")
          ? '{"industry": "anvils", "size": "large"}'
          : question.includes("decide")
            ? "user"
            : "price";
        says(answer)(response, asked);
      }
    });
    const { told } = await project({ "flowsheet.yaml": configured(server.url) }).run(...lead("How much?"));
    expect(told).toMatchObject({
      status: "completed",
      path: [...SPLIT, "Score", "Route", "Offer"],
      state: { industry: "anvils", size: "large", role: "user", interest: "price" },
    });
    expect(told.state["assignment"]).toBe(
      "Send this lead an offer:\ncompany: Acme\nindustry: anvils\nsize: large\nrole: user\nmessage: How much?",
    );
  });

  test("when all models are down a person goes on", async () => {
    const server = await modelServer(status(401));
    const { told } = await project({ "flowsheet.yaml": configured(server.url) }).run(...lead("How much?"));
    expect(told).toMatchObject({ status: "completed", path: [...SPLIT, "Fallback"] });
    expect(told.state["assignment"]).toMatch(
      /^Look at Acme <ada@acme\.example> by hand, no model could \(.*HTTP 401.*\): How much\?$/,
    );
    expect(Object.keys(told.state)).not.toContain("summary");
  });
});

describe("data-import.csv", () => {
  const RECORDS = [
    { id: "1", name: "Ada", email: "ada@example.com", country: "DE" },
    { id: "2", name: "Bob", email: "bob", country: "DE" },
    { id: "3", name: "=Cy", email: "cy@example.fr", country: "fr", tax_number: "FR7" },
    { id: "4", name: "Di", email: "di@example.at", country: "AT" },
    { id: "5", name: "Eve", email: "eve@example.com", country: "??" },
  ];
  const begin = (records: readonly object[]): readonly string[] => [
    "run",
    "--csv",
    "examples/data-import.csv",
    "--graph",
    "Data Import",
    "--state",
    JSON.stringify({ records }),
  ];

  test("good records, those to correct, and those for the error queue", async () => {
    const { folder, run } = project();
    const { told } = await run(...begin(RECORDS));
    expect(told).toMatchObject({
      status: "completed",
      path: ["Each", "Store", "Correct", "AnyErrors", "Queue", "Report"],
      state: {
        rows: [{ kind: "domestic" }, null, { kind: "abroad" }, null, null],
        corrections: [null, { problem: "name or e-mail address is missing" }, null, { id: "4" }, null],
        errors: [
          { index: 4, item: RECORDS[4], error: 'nothing is listed for "??", and there is no default' },
        ],
        report: "stored: 2, returned: 2, queued: 1",
      },
    });
    const file = (name: string): string => readFileSync(join(folder, "data", name), "utf8");
    expect(file("customers.csv")).toBe(
      "id,name,email,kind\n1,Ada,ada@example.com,domestic\n3,'=Cy,cy@example.fr,abroad\n",
    );
    expect(file("corrections.csv")).toBe(
      "id,name,problem\n2,Bob,name or e-mail address is missing\n4,Di,the tax number is missing\n",
    );
    expect(file("error-queue.csv")).toMatch(/^index,item,error\n4,"\{""id"":""5"",.*\n$/);
  });

  test("a second import adds to the files; without errors nothing is queued", async () => {
    const { folder, run } = project();
    await run(...begin(RECORDS.slice(0, 1)));
    const { told } = await run(...begin(RECORDS.slice(2, 3)));
    expect(told).toMatchObject({
      path: ["Each", "Store", "Correct", "AnyErrors", "Report"],
      state: { errors: [], report: "stored: 1, returned: 0" },
    });
    const lines = readFileSync(join(folder, "data", "customers.csv"), "utf8")
      .trimEnd()
      .split("\n");
    expect(lines).toHaveLength(3);
    expect(readdirSync(join(folder, "data"))).not.toContain("error-queue.csv");
  });

  test("files that cannot be written stop the import with a reason", async () => {
    const { run } = project({ data: "a file in the place of the folder" });
    const { told } = await run(...begin(RECORDS));
    expect(told).toMatchObject({ status: "completed", path: ["Each", "Store", "Stop"] });
    expect(told.state["report"]).toMatch(/^The import stopped: /);
  });
});

const PASSED = "note: passed over examples/purchase-desk: a project of its own, with its flowsheet.yaml\n";

describe("the project purchase-desk", () => {
  test("is sound where it stands, and every node, edge and outcome of it is tested", async () => {
    const { folder } = project();
    const cwd = join(folder, "examples/purchase-desk");
    expect(await flowsheet(["validate", "--strict", "--quiet"], { cwd })).toMatchObject({ code: 0 });
    const configured = await flowsheet(["validate", "--config", "flowsheet.yaml", "--strict"], { cwd });
    expect([configured.code, configured.stdout]).toEqual([0, "flowsheet.yaml: no problems\n"]);
    const tested = await flowsheet(["test", "--coverage", "--threshold", "100"], { cwd });
    expect([tested.code, tested.stderr]).toEqual([0, ""]);
  });

  test("is what init makes a project of, and holds no code", async () => {
    const cwd = createFolder();
    const made = await flowsheet(["init", ".", "--template", "purchase-desk"], { cwd });
    expect(made).toMatchObject({ code: 0 });
    const files = readdirSync(join(EXAMPLES, "purchase-desk"), { recursive: true }).map(String);
    const own = files.filter((file) => /\.\w+$/.test(file) && file !== "README.md");
    expect(own.filter((file) => !/\.(?:csv|yaml)$/.test(file))).toEqual([]);
    for (const file of own)
      expect(readFileSync(join(cwd, file), "utf8"), file).toBe(
        readFileSync(join(EXAMPLES, "purchase-desk", file), "utf8"),
      );
  });

  test("is left to itself by whoever looks at the folder around it", async () => {
    const { folder } = project();
    const { code, stderr } = await flowsheet(["validate", "examples", "--strict"], { cwd: folder });
    expect([code, stderr]).toEqual([0, expect.stringContaining(PASSED)]);
  });
});

test("flowsheet test passes for every example, and comes to every node, edge and outcome", async () => {
  const args = ["test", "examples", "--coverage", "--threshold", "100", "--json"];
  const { code, stdout, stderr } = await flowsheet(args);
  expect([code, stderr]).toEqual([0, PASSED]);
  const { failed, coverage } = JSON.parse(stdout) as {
    failed: number;
    coverage: readonly { sheet: string }[];
  };
  const sheets = readdirSync(EXAMPLES).filter((name) => /(?<!\.test)\.csv$/.test(name));
  expect(failed).toBe(0);
  expect([...new Set(coverage.map(({ sheet }) => sheet))].sort()).toEqual(
    sheets.map((name) => `examples/${name}`),
  );
});
