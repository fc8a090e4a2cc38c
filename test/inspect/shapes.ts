import type { GraphIR } from "../../compiler/ir.js";
import { sketch } from "./graphs.js";

/** Three nodes in a row. */
export const linear: GraphIR = sketch(
  [
    { name: "Ask", agent: "input", next: "Greet", writes: ["name"], prompt: "Who are you?" },
    {
      name: "Greet",
      agent: "echo",
      next: "Log",
      reads: ["name"],
      writes: ["greeting"],
      prompt: "Hello {name}",
    },
    { name: "Log", agent: "csv_writer", reads: ["name", "greeting"] },
  ],
  { name: "Hello", file: "hello.csv" },
);

/** A support desk: a failure handler that several nodes share. */
export const support: GraphIR = sketch(
  [
    {
      name: "Ask",
      agent: "input",
      next: "Classify",
      reads: ["customer"],
      writes: ["question"],
      description: "Collects the question",
    },
    {
      name: "Classify",
      agent: "llm",
      success: "Answer",
      failure: "Apologize",
      reads: ["question"],
      writes: ["topic"],
      description: "Sorts the question by its topic",
    },
    {
      name: "Answer",
      agent: "handbook",
      custom: true,
      success: "Approve",
      failure: "Apologize",
      reads: ["question", "topic"],
      writes: ["answer"],
      description: "Looks it up in the handbook",
      prompt: "Answer as the handbook does.\nThe question: see above.",
      rest: {
        retry: { attempts: 3, delayMs: 500, factor: 2, maxDelayMs: 10_000 },
        settings: { collection: "handbook" },
      },
    },
    {
      name: "Approve",
      agent: "human",
      success: "Send",
      failure: "Answer",
      reads: ["answer"],
      limit: [3, "Escalate"],
    },
    { name: "Send", agent: "mailer", custom: true, next: "Record|Thank", reads: ["answer", "customer"] },
    {
      name: "Record",
      agent: "csv_writer",
      next: "Close",
      reads: ["question", "answer"],
      description: "Adds a line to the log of all answers",
    },
    { name: "Thank", agent: "echo", next: "Close", reads: ["customer"], writes: ["thanks"] },
    { name: "Close", agent: "success", next: "END" },
    { name: "Escalate", agent: "human", next: "Close", reads: ["question"], writes: ["answer"] },
    {
      name: "Apologize",
      agent: "echo",
      reads: ["customer", "error"],
      writes: ["apology"],
      description: "Says sorry in the customer's language",
    },
  ],
  {
    name: "Support",
    file: "support.csv",
    splits: [["Send", "next", "Close", [["Record"], ["Thank"]]]],
    types: { topic: { kind: "choice", values: ["billing", "technical", "other"] } },
  },
);

/** Yes and no come together again. */
export const diamond: GraphIR = sketch(
  [
    { name: "Check", agent: "branching", success: "Accept", failure: "Reject", reads: ["amount"] },
    { name: "Accept", next: "Close", writes: ["answer"] },
    { name: "Reject", next: "Close", writes: ["answer"] },
    { name: "Close", agent: "summary", reads: ["answer"], writes: ["report"] },
  ],
  { name: "Order", file: "order.csv", types: { amount: { kind: "number" } } },
);

/** A draft is reviewed until it is good, or often enough; one node returns to itself. */
export const loop: GraphIR = sketch(
  [
    { name: "Draft", agent: "llm", next: "Review", reads: ["topic", "remarks"], writes: ["text"] },
    {
      name: "Review",
      agent: "llm",
      success: "Polish",
      failure: "Draft",
      limit: [3, "Give up"],
      reads: ["text"],
      writes: ["remarks"],
    },
    { name: "Polish", agent: "llm", success: "END", failure: "Polish", reads: ["text"], writes: ["text"] },
    { name: "Give up", agent: "failure", reads: ["remarks"] },
  ],
  { name: "Review", file: "review.csv" },
);

/** Branches within a branch, of unequal length, and one that ends by itself. */
export const nested: GraphIR = sketch(
  [
    { name: "Start", next: "Company|People|News", reads: ["domain"] },
    { name: "Company", next: "Finance|Staff", writes: ["company"] },
    { name: "Finance", next: "Profile", writes: ["finance"] },
    { name: "Staff", success: "Count", failure: "Guess", writes: ["staff"] },
    { name: "Count", next: "Profile", writes: ["count"] },
    { name: "Guess", next: "Profile", writes: ["count"] },
    { name: "Profile", next: "Score", reads: ["company", "finance", "count"], writes: ["profile"] },
    { name: "People", next: "Score", writes: ["people"] },
    { name: "News", next: "END", writes: ["news"] },
    { name: "Score", agent: "llm", reads: ["profile", "people"], writes: ["score"] },
  ],
  {
    name: "Leads",
    file: "leads.csv",
    splits: [
      [
        "Start",
        "next",
        "Score",
        [["Company", "Finance", "Staff", "Count", "Guess", "Profile"], ["People"], ["News"]],
      ],
      ["Company", "next", "Profile", [["Finance"], ["Staff", "Count", "Guess"]]],
    ],
  },
);

/** One of many, by a name in the list, by a case, or otherwise. */
export const choice: GraphIR = sketch(
  [
    {
      name: "Route",
      agent: "switch",
      next: "Billing|Technical",
      cases: { refund: "Billing", "money back": "Billing", chat: "Chat" },
      otherwise: "Other",
      reads: ["topic"],
    },
    { name: "Billing", next: "Done" },
    { name: "Technical", success: "Done", failure: "Other" },
    { name: "Chat", agent: "human" },
    { name: "Other", agent: "llm", next: "Done" },
    { name: "Done", agent: "success" },
    { name: "Old", next: "Older" },
    { name: "Older", next: "Done" },
  ],
  { name: "Desk", file: "desk.csv" },
);

/** Every shape by name. */
export const shapes: { readonly [name: string]: GraphIR } = {
  linear,
  support,
  diamond,
  loop,
  nested,
  choice,
};
