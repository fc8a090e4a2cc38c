import type { Shape } from "./shape.js";

/** Failure edges out of splits, and splits by an outcome. */
export const FAILURE_SHAPES: readonly Shape[] = [
  {
    name: "shared handler that ends",
    rows: {
      S: "A|B",
      A: { next: "M", fail: "H", writes: "a" },
      B: { next: "M", fail: "H", writes: "b" },
      M: { reads: "a b" },
      H: { reads: "error" },
    },
    splits: [{ at: "S next", meet: "END", branches: "A|B" }],
    runs: [
      { results: [{ path: "S A B M" }] },
      {
        acts: { A: "throw" },
        results: [{ path: "S A B H", state: { b: 3001, error: "N1#1 threw" }, absent: "a" }],
      },
      { acts: { B: "throw" }, results: [{ path: "S A B H", state: { a: 2001 }, absent: "b" }] },
      { acts: { A: "throw", B: "throw" }, results: [{ path: "S A B H", state: { error: "N2#1 threw" } }] },
    ],
    fields: { required: "", optional: "", maybeUnset: "", setAtEnd: "", before: { M: "", H: "a b" } },
  },
  {
    name: "shared handler that joins",
    rows: {
      S: "A|B",
      A: { agent: "custom", next: "M", fail: "H" },
      B: { agent: "custom", next: "M", fail: "H" },
      H: "M",
      M: "",
    },
    splits: [{ at: "S next", meet: "M", branches: "A|B" }],
    runs: [
      { results: [{ path: "S A B M" }] },
      { acts: { A: "fail" }, results: [{ path: "S A B H M" }] },
      { acts: { A: "fail", B: "throw" }, results: [{ path: "S A B H M" }] },
    ],
  },
  {
    name: "a handler that only one branch comes to is that branch's own",
    rows: { S: "A|B", A: { next: "M", fail: "H" }, B: { next: "M", fail: "K" }, H: "M", K: "M", M: "" },
    splits: [{ at: "S next", meet: "M", branches: "A H|B K" }],
    runs: [
      { acts: { A: "throw" }, results: [{ path: "S A H B M" }] },
      { acts: { A: "throw", B: "throw" }, results: [{ path: "S A H B K M" }] },
    ],
  },
  {
    name: "two shared handlers that join run one after the other, then the meeting",
    rows: {
      S: "A|B",
      A: { next: "A2", fail: "H" },
      A2: { next: "M", fail: "K" },
      B: { next: "B2", fail: "H" },
      B2: { next: "M", fail: "K" },
      H: "M",
      K: "M",
      M: "",
    },
    splits: [{ at: "S next", meet: "M", branches: "A A2|B B2" }],
    runs: [
      { results: [{ path: "S A A2 B B2 M" }] },
      { acts: { A: "throw" }, results: [{ path: "S A B B2 H M" }] },
      { acts: { A: "throw", B2: "throw" }, results: [{ path: "S A B B2 K H M" }] },
    ],
  },
  {
    name: "two shared handlers that end",
    rows: {
      S: "A|B",
      A: { next: "A2", fail: "H" },
      A2: { next: "M", fail: "K" },
      B: { next: "B2", fail: "H" },
      B2: { next: "M", fail: "K" },
      M: "",
      H: "",
      K: "",
    },
    splits: [{ at: "S next", meet: "END", branches: "A A2|B B2" }],
    runs: [
      { results: [{ path: "S A A2 B B2 M" }] },
      { acts: { A: "throw", B2: "throw" }, results: [{ path: "S A B B2 K H" }] },
    ],
  },
  {
    name: "a failure edge that skips the meeting drops it for all",
    rows: { S: "A|B", A: { next: "M", fail: "Z" }, B: "M", M: "Z", Z: "" },
    splits: [{ at: "S next", meet: "Z", branches: "A|B" }],
    runs: [{ results: [{ path: "S A B M Z" }] }, { acts: { A: "throw" }, results: [{ path: "S A B Z" }] }],
  },
  {
    name: "a signalled failure over next_node decides nothing",
    rows: { S: "A|B", A: { agent: "custom", next: "M" }, B: { next: "M", fail: "H" }, M: "", H: "M" },
    splits: [{ at: "S next", meet: "M", branches: "A|B H" }],
    runs: [{ acts: { A: "fail" }, results: [{ path: "S A B M", state: { error: "N1#1 failed" } }] }],
  },
  {
    name: "split by next_on_success",
    rows: { S: { agent: "custom", ok: "A|B", fail: "H" }, A: "M", B: "M", M: "", H: "" },
    splits: [{ at: "S success", meet: "M", branches: "A|B" }],
    runs: [{ results: [{ path: "S A B M" }] }, { acts: { S: "fail" }, results: [{ path: "S H" }] }],
  },
  {
    name: "split by next_on_failure",
    rows: { S: { next: "M", fail: "A|B" }, A: { next: "Z", reads: "error" }, B: "Z", M: "", Z: "" },
    splits: [{ at: "S failure", meet: "Z", branches: "A|B" }],
    runs: [
      { results: [{ path: "S M" }] },
      { acts: { S: "throw" }, results: [{ path: "S A B Z", state: { error: "N0#1 threw" } }] },
    ],
  },
  {
    name: "split by both outcomes of one node",
    rows: {
      S: { agent: "branching", ok: "A|B", fail: "C|D" },
      A: "M",
      B: "M",
      C: "M",
      D: "M",
      M: "",
    },
    splits: [
      { at: "S success", meet: "M", branches: "A|B" },
      { at: "S failure", meet: "M", branches: "C|D" },
    ],
    runs: [{ results: [{ path: "S A B M" }] }, { acts: { S: "fail" }, results: [{ path: "S C D M" }] }],
  },
  {
    name: "split by next_on_failure with the meeting in its list",
    rows: { S: { next: "Z", fail: "A|M" }, A: "M", M: "Z", Z: "" },
    splits: [{ at: "S failure", meet: "M", branches: "A|" }],
    runs: [{ acts: { S: "throw" }, results: [{ path: "S A M Z" }] }],
  },
  {
    name: "nested: a failure at the outer handler drops the inner meeting and the outer one",
    rows: {
      S: "A|B",
      A: "C|D",
      C: { next: "N", fail: "H" },
      D: "N",
      N: "M",
      B: { next: "M", fail: "H" },
      H: "",
      M: "",
    },
    splits: [
      { at: "S next", meet: "END", branches: "A C D N|B" },
      { at: "A next", meet: "END", branches: "C H|D" },
    ],
    runs: [
      { results: [{ path: "S A C D N B M" }] },
      { acts: { C: "throw" }, results: [{ path: "S A C D B H" }] },
      { acts: { B: "throw" }, results: [{ path: "S A C D N B H" }] },
    ],
  },
  {
    name: "nested: a handler shared by inner branches decides for them only",
    rows: {
      S: "A|B",
      A: "C|D",
      C: { next: "N", fail: "K" },
      D: { next: "N", fail: "K" },
      N: "M",
      K: "M",
      B: "M",
      M: "",
    },
    splits: [
      { at: "S next", meet: "M", branches: "A C D N K|B" },
      { at: "A next", meet: "M", branches: "C|D" },
    ],
    runs: [{ acts: { D: "throw" }, results: [{ path: "S A C D K B M" }] }],
  },
  {
    name: "a failure that is handled inside its branch decides nothing",
    rows: { S: "A|B", A: { next: "A2", fail: "H" }, A2: "M", H: "A2", B: "M", M: "" },
    splits: [{ at: "S next", meet: "M", branches: "A A2 H|B" }],
    runs: [{ acts: { A: "throw" }, results: [{ path: "S A H A2 B M" }] }],
  },
  {
    name: "an END over a failure edge decides nothing",
    rows: { S: "A|B", A: { next: "M", fail: "END" }, B: "M", M: "" },
    splits: [{ at: "S next", meet: "END", branches: "A|B" }],
    runs: [{ acts: { A: "throw" }, results: [{ path: "S A B M", state: { error: "N1#1 threw" } }] }],
  },
  {
    name: "an unrouted throw never slips on to next_node",
    rows: { A: "B", B: "" },
    splits: [],
    runs: [{ acts: { A: "throw" }, results: [{ path: "A", status: "failed", error: "agent_failed A" }] }],
  },
  {
    name: "a signalled failure without target completes the run",
    rows: { A: { agent: "custom", ok: "B" }, B: "" },
    splits: [],
    runs: [{ acts: { A: "fail" }, results: [{ path: "A", state: { error: "N0#1 failed" } }] }],
  },
  {
    name: "the failure of branching comes to a shared handler without an error",
    rows: {
      S: "A|B",
      A: { agent: "branching", ok: "M", fail: "H" },
      B: { next: "M", fail: "H" },
      H: { reads: "error" },
      M: "",
    },
    splits: [{ at: "S next", meet: "END", branches: "A|B" }],
    runs: [
      { acts: { A: "fail" }, results: [{ path: "S A B H", absent: "error" }] },
      { acts: { A: "fail", B: "throw" }, results: [{ path: "S A B H", state: { error: "N2#1 threw" } }] },
    ],
  },
  {
    name: "error follows list order, also when it is not the error that decided",
    rows: {
      S: "A|B",
      A: { next: "M", fail: "H" },
      B: { next: "M", fail: "K" },
      C: { next: "M", fail: "H" },
      H: { reads: "error" },
      K: { agent: "switch", next: "M|C" },
      M: "",
    },
    splits: [{ at: "S next", meet: "END", branches: "A|B C K" }],
    runs: [
      { acts: { A: "throw", B: "throw" }, results: [{ path: "S A B K H", state: { error: "N2#1 threw" } }] },
    ],
  },
];
