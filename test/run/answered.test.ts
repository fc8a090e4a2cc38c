import { userInfo } from "node:os";
import { expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";

const SHEET = `graph_name,node_name,next_node,agent_type,next_on_success,next_on_failure,input_fields,output_field,prompt
Refund,Amount,Approve,input,,,,amount:number|by=asked|at,How much?
Refund,Approve,,human,Pay,Decline,amount,verdict|comment|by|at=decided,May we pay {amount}?
Refund,Pay,,echo,,,amount|by?,reply,Paid {amount} by {by}
Refund,Decline,,echo,,,,reply,No
`;

const ME = `os:${userInfo().username}`;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

async function answered(configuration: { readonly [file: string]: string }) {
  const cwd = createFolder({ "refund.csv": SHEET, ...configuration });
  const first = await flowsheet(["run", "refund.csv", "--json"], { cwd });
  expect(first.code).toBe(3);
  const { run_id: id } = JSON.parse(first.stdout) as { readonly run_id: string };
  const second = await flowsheet(["resume", id, "--answer", "Amount=80", "--json"], { cwd });
  expect(second.stderr + second.stdout).toContain("Approve");
  const third = await flowsheet(["resume", id, "--answer", "Approve=yes", "--json"], { cwd });
  return (JSON.parse(third.stdout) as { readonly state: { readonly [field: string]: unknown } }).state;
}

test.each([
  ["in a project, where every run is kept", { "flowsheet.yaml": "workflows: .\n" }],
  ["without a configuration", {}],
])("who answered, and when, are outputs of input and human: %s", async (_, files) => {
  const state = await answered(files as { readonly [file: string]: string });
  expect(state).toMatchObject({ amount: 80, asked: ME, verdict: "yes", by: ME, reply: `Paid 80 by ${ME}` });
  expect([state["at"], state["decided"]]).toEqual([expect.stringMatching(ISO), expect.stringMatching(ISO)]);
  expect(state).not.toHaveProperty("comment");
});

test("what the caller gave at the start was answered by nobody, and nobody is asked to give who it was", async () => {
  const cwd = createFolder({ "refund.csv": SHEET });
  const args = ["run", "refund.csv", "--json", "--input", "amount=80", "--input", "verdict=yes"];
  const { code, stdout, stderr } = await flowsheet(args, { cwd });
  const { state } = JSON.parse(stdout) as { readonly state: object };
  expect([code, stderr.includes("unknown")]).toEqual([0, false]);
  expect(state).toEqual({ amount: 80, verdict: "yes", reply: "Paid 80 by " });
});

test("a time-out is nobody's answer", async () => {
  const sheet = `graph_name,node_name,agent_type,output_field,prompt,context.timeout_ms,context.default_action
Ask,Approve,human,verdict|by|at,May we?,1,reject
`;
  const cwd = createFolder({ "ask.csv": sheet, "flowsheet.yaml": "workflows: .\n" });
  const first = await flowsheet(["run", "ask.csv", "--json"], { cwd });
  const { run_id: id, status, state } = JSON.parse(first.stdout) as Record<string, unknown>;
  const end =
    status === "suspended"
      ? JSON.parse((await flowsheet(["resume", String(id), "--json"], { cwd })).stdout).state
      : state;
  expect(end).toEqual({ verdict: "reject" });
});
