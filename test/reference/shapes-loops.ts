import type { Shape } from "./shape.js";

/** Cycles around splits, in branches, and back to the split. */
export const LOOP_SHAPES: readonly Shape[] = [
  {
    name: "loop around a split",
    rows: { S: "A|B", A: "M", B: "M", M: { agent: "branching", ok: "END", fail: "S" } },
    splits: [{ at: "S next", meet: "M", branches: "A|B" }],
    runs: [{ acts: { M: "fail, ok" }, results: [{ path: "S A B M S A B M" }] }],
  },
  {
    name: "append grows with each round",
    rows: {
      S: { next: "A|B", merge: { x: "append" } },
      A: { next: "M", writes: "x" },
      B: { next: "M", writes: "x" },
      M: { agent: "branching", ok: "END", fail: "S" },
    },
    splits: [{ at: "S next", meet: "M", branches: "A|B" }],
    runs: [
      {
        acts: { M: "fail, ok" },
        results: [{ path: "S A B M S A B M", state: { x: [2001, 3001, 2002, 3002] } }],
      },
    ],
  },
  {
    name: "the meeting is the split itself",
    rows: { S: { next: "A|B", max: 2, limit: "Z" }, A: "S", B: "S", Z: "" },
    splits: [{ at: "S next", meet: "S", branches: "A|B" }],
    runs: [{ results: [{ path: "S A B S A B Z" }] }],
  },
  {
    name: "loop inside a branch",
    rows: { S: "A|B", A: { agent: "branching", ok: "M", fail: "A" }, B: "M", M: "" },
    splits: [{ at: "S next", meet: "M", branches: "A|B" }],
    runs: [{ acts: { A: "fail, fail, ok" }, results: [{ path: "S A A A B M" }] }],
  },
  {
    name: "loop around a nested split inside a branch",
    rows: {
      S: "A|B",
      A: "C|D",
      C: "N",
      D: "N",
      N: { agent: "branching", ok: "M", fail: "A" },
      B: "M",
      M: "",
    },
    splits: [
      { at: "S next", meet: "M", branches: "A C D N|B" },
      { at: "A next", meet: "N", branches: "C|D" },
    ],
    runs: [{ acts: { N: "fail, ok" }, results: [{ path: "S A C D N A C D N B M" }] }],
  },
  {
    name: "a failure edge back to the split starts it over for all",
    rows: { S: "A|B", A: { next: "M", fail: "S" }, B: "M", M: "" },
    splits: [{ at: "S next", meet: "M", branches: "A|B" }],
    runs: [
      { results: [{ path: "S A B M" }] },
      { acts: { A: "throw, ok" }, results: [{ path: "S A B S A B M" }] },
    ],
  },
  {
    name: "a branch that chooses to go back while another goes on",
    rows: { S: "A|B", A: { agent: "switch", next: "S|M" }, B: "M", M: "" },
    splits: [{ at: "S next", meet: "M", branches: "A|B" }],
    runs: [{ acts: { A: "to S, to M" }, results: [{ path: "S A B S A B M" }] }],
  },
  {
    name: "a handler that starts over while another waits",
    rows: {
      E: "S",
      S: "A|B",
      A: { next: "A2", fail: "H" },
      A2: { next: "M", fail: "K" },
      B: { next: "B2", fail: "H" },
      B2: { next: "M", fail: "K" },
      H: "E",
      K: "M",
      M: "",
    },
    splits: [{ at: "S next", meet: "M", branches: "A A2|B B2" }],
    runs: [
      {
        acts: { A: "throw, ok", B2: "throw, ok" },
        results: [{ path: "E S A B B2 K M H E S A A2 B B2 M" }],
      },
    ],
  },
  {
    name: "splits that lie in each other's branches",
    rows: { S: "A|B", A: "T", T: "C|D", C: { agent: "switch", next: "S|M" }, D: "M", B: "M", M: "" },
    splits: [
      { at: "S next", meet: "M", branches: "A T C D|B" },
      { at: "T next", meet: "M", branches: "S A C B|D" },
    ],
    runs: [
      { acts: { C: "to M" }, results: [{ path: "S A T C D B M" }] },
      { acts: { C: "to S, to M" }, results: [{ path: "S A T C D B S A T C D B M" }] },
    ],
  },
  {
    name: "stops that lead to each other",
    rows: {
      S: "A|B",
      A: "P",
      B: "Q",
      P: { agent: "branching", ok: "M", fail: "Q" },
      Q: { agent: "branching", ok: "M", fail: "P" },
      M: "",
    },
    splits: [{ at: "S next", meet: "M", branches: "A|B", ambiguous: ["P Q"] }],
  },
  {
    name: "handlers that lead to each other",
    rows: {
      S: "A|B",
      A: { next: "M", fail: "P" },
      B: { next: "M", fail: "Q" },
      P: { agent: "branching", ok: "M", fail: "Q" },
      Q: { agent: "branching", ok: "M", fail: "P" },
      M: "",
    },
    splits: [{ at: "S next", meet: "M", branches: "A|B", ambiguous: ["P Q"] }],
  },
  {
    name: "stops that lead to each other, one of them a handler: the failure decides",
    rows: {
      S: "A|B",
      A: { next: "M", fail: "P" },
      B: "Q",
      P: { agent: "branching", ok: "M", fail: "Q" },
      Q: { agent: "branching", ok: "M", fail: "P" },
      M: "",
    },
    splits: [{ at: "S next", meet: "M", branches: "A|B" }],
    runs: [{ acts: { A: "throw" }, results: [{ path: "S A B P M" }] }, { results: [{ path: "S A B Q M" }] }],
  },
  {
    name: "stops that lead to each other through the split only",
    rows: {
      S: "A|B",
      A: { agent: "switch", next: "P|M" },
      B: { agent: "switch", next: "P|Q" },
      P: { agent: "branching", ok: "M", fail: "S" },
      Q: "P",
      M: "",
    },
    splits: [{ at: "S next", meet: "M", branches: "A|B Q" }],
    runs: [
      {
        acts: { A: "to P, to M", B: "to Q, to P", P: "fail, ok" },
        results: [{ path: "S A B Q P S A B P M" }],
      },
    ],
  },
  {
    name: "max_visits of a node that leads to itself",
    rows: { S: "A|B", A: { next: "A", max: 3, limit: "M" }, B: "M", M: "" },
    splits: [{ at: "S next", meet: "M", branches: "A|B" }],
    runs: [{ results: [{ path: "S A A A B M" }] }],
  },
  {
    name: "a branch whose first node has had its last visit",
    rows: {
      S: "A|B",
      A: { next: "M", max: 1, limit: "M" },
      B: "M",
      M: { agent: "branching", ok: "END", fail: "S" },
    },
    splits: [{ at: "S next", meet: "M", branches: "A|B" }],
    runs: [{ acts: { M: "fail, ok" }, results: [{ path: "S A B M S B M" }] }],
  },
  {
    name: "step limit",
    rows: { S: { agent: "branching", ok: "END", fail: "S" } },
    splits: [],
    runs: [
      {
        acts: { S: "fail" },
        maxSteps: 3,
        results: [{ path: "S S S", status: "failed", error: "step_limit S" }],
      },
      { acts: { S: "fail, fail, ok" }, maxSteps: 3, results: [{ path: "S S S" }] },
    ],
  },
  {
    name: "END beside a way back ends that branch only, so the run goes round for ever",
    rows: { S: "S|END" },
    splits: [{ at: "S next", meet: "END", branches: "|" }],
    runs: [{ maxSteps: 3, results: [{ path: "S S S", status: "failed", error: "step_limit S" }] }],
  },
  {
    name: "a custom agent that goes round until it fails",
    rows: { P: { agent: "custom", ok: "P", next: "D" }, D: "" },
    splits: [],
    runs: [{ acts: { P: "ok, ok, fail" }, results: [{ path: "P P P D", state: { error: "N0#3 failed" } }] }],
  },
  {
    name: "nodes past their last visit that lead to each other",
    rows: {
      S: { next: "A", max: 1, limit: "A" },
      A: { agent: "branching", ok: "END", fail: "S", max: 1, limit: "S" },
    },
    splits: [],
    runs: [{ acts: { A: "fail" }, results: [{ path: "S A", status: "failed", error: "step_limit S" }] }],
  },
];
