import type { Shape } from "./shape.js";

/** What is set where. */
export const FIELD_SHAPES: readonly Shape[] = [
  {
    name: "read by a node and written by none",
    rows: { A: { reads: "q opt?", writes: "a", next: "B" }, B: { reads: "a q" } },
    splits: [],
    fields: {
      required: "q",
      optional: "opt",
      maybeUnset: "",
      setAtEnd: "a q",
      before: { A: "a opt", B: "opt" },
    },
  },
  {
    name: "one reader with ? and one without",
    rows: { A: { reads: "q?", next: "B" }, B: { reads: "q" } },
    splits: [],
    fields: { required: "q", optional: "", maybeUnset: "", setAtEnd: "q" },
  },
  {
    name: "a choice may pass the writer by",
    rows: {
      S: { agent: "switch", next: "A|B" },
      A: { writes: "a", next: "M" },
      B: "M",
      M: { reads: "a" },
    },
    splits: [],
    fields: { required: "", optional: "a", maybeUnset: "M.a", setAtEnd: "", before: { M: "a" } },
  },
  {
    name: "a text agent joins what is there, when one field is always set",
    rows: {
      S: { agent: "switch", next: "A|B", writes: "s" },
      A: { writes: "a", next: "M" },
      B: "M",
      M: { reads: "a s" },
    },
    splits: [],
    fields: { required: "", optional: "a", maybeUnset: "", setAtEnd: "s" },
  },
  {
    name: "another agent does not",
    rows: {
      S: { agent: "switch", next: "A|B", writes: "s" },
      A: { writes: "a", next: "M" },
      B: "M",
      M: { agent: "custom", reads: "a s" },
    },
    splits: [],
    fields: { optional: "a", maybeUnset: "M.a", setAtEnd: "s" },
  },
  {
    name: "a required field counts as always set beside",
    rows: {
      S: { agent: "switch", next: "A|B" },
      A: { writes: "a", next: "M" },
      B: "M",
      M: { reads: "a q" },
    },
    splits: [],
    fields: { required: "q", optional: "a", maybeUnset: "", setAtEnd: "q" },
  },
  {
    name: "? silences",
    rows: {
      S: { agent: "switch", next: "A|B" },
      A: { writes: "a", next: "M" },
      B: "M",
      M: { agent: "custom", reads: "a?" },
    },
    splits: [],
    fields: { optional: "a", maybeUnset: "" },
  },
  {
    name: "a loop's first round, text agent",
    rows: {
      A: { reads: "feedback", writes: "draft", next: "B" },
      B: { agent: "custom", reads: "draft", writes: "feedback", next: "C" },
      C: { agent: "branching", reads: "feedback", ok: "END", fail: "A" },
    },
    splits: [],
    fields: { required: "", optional: "feedback", maybeUnset: "", setAtEnd: "draft feedback" },
  },
  {
    name: "a loop's first round, another agent",
    rows: {
      A: { agent: "custom", reads: "feedback", writes: "draft", next: "B" },
      B: { agent: "custom", reads: "draft", writes: "feedback", next: "C" },
      C: { agent: "branching", reads: "feedback", ok: "END", fail: "A" },
    },
    splits: [],
    fields: { required: "feedback", optional: "", maybeUnset: "", setAtEnd: "draft feedback" },
  },
  {
    name: "a node that reads what it writes",
    rows: { A: { agent: "custom", reads: "n", writes: "n", max: 3, next: "A" } },
    splits: [],
    fields: { required: "n", optional: "", maybeUnset: "", setAtEnd: "n" },
  },
  {
    name: "read before it is written, and never again",
    rows: { A: { reads: "x", next: "B" }, B: { writes: "x" } },
    splits: [],
    fields: { required: "", optional: "x", maybeUnset: "A.x", setAtEnd: "x" },
  },
  {
    name: "a failure edge brings none of the node's writes",
    rows: {
      A: { writes: "draft", next: "B", fail: "H" },
      B: { reads: "draft" },
      H: { agent: "custom", reads: "draft error" },
    },
    splits: [],
    fields: { required: "", optional: "draft", maybeUnset: "H.draft", setAtEnd: "" },
  },
  {
    name: "a handler that joins what is there",
    rows: {
      A: { writes: "draft", next: "B", fail: "H" },
      B: { reads: "draft" },
      H: { reads: "draft error" },
    },
    splits: [],
    fields: { required: "", optional: "draft", maybeUnset: "", setAtEnd: "" },
  },
  {
    name: "next_node of an agent that may throw counts as success only",
    rows: { A: { agent: "custom", writes: "a", next: "B" }, B: { agent: "custom", reads: "a" } },
    splits: [],
    fields: { required: "", optional: "", maybeUnset: "", setAtEnd: "a" },
  },
  {
    name: "branching and failure write whatever the outcome",
    rows: {
      A: { agent: "branching", writes: "a", ok: "M", fail: "F" },
      F: { agent: "failure", writes: "f", next: "M" },
      M: { agent: "custom", reads: "a f" },
    },
    splits: [],
    runs: [
      {
        acts: { A: "fail" },
        results: [{ path: "A F M", state: { a: 1001, f: 2001, error: "N1#1 failed" } }],
      },
    ],
    fields: { required: "", optional: "f", maybeUnset: "M.f", setAtEnd: "a" },
  },
  {
    name: "a failure node sets error on its only way",
    rows: { F: { agent: "failure", writes: "f", next: "M" }, M: { agent: "custom", reads: "f error" } },
    splits: [],
    fields: { required: "", optional: "", maybeUnset: "", setAtEnd: "error f" },
  },
  {
    name: "on_limit leaves what was set on arrival",
    rows: {
      A: { agent: "custom", writes: "a", max: 2, limit: "Z", next: "B" },
      B: { agent: "branching", ok: "END", fail: "A" },
      Z: { agent: "custom", reads: "a" },
    },
    splits: [],
    fields: { required: "", optional: "a", maybeUnset: "Z.a", setAtEnd: "", before: { B: "", Z: "a" } },
  },
  {
    name: "at a meeting all branches have written",
    rows: {
      S: "A|B",
      A: { agent: "switch", next: "A2|M", writes: "a" },
      A2: { next: "M", writes: "a2" },
      B: { next: "M", writes: "b" },
      M: { agent: "custom", reads: "a b a2" },
    },
    splits: [{ at: "S next", meet: "M", branches: "A A2|B" }],
    fields: { required: "", optional: "a2", maybeUnset: "M.a2", setAtEnd: "a b", before: { M: "a2" } },
  },
  {
    name: "a branch that may end before it writes",
    rows: {
      S: "A|B",
      A: { agent: "branching", ok: "A2", fail: "END" },
      A2: { next: "M", writes: "a" },
      B: { next: "M", writes: "b" },
      M: { agent: "custom", reads: "a b", writes: "m" },
    },
    splits: [{ at: "S next", meet: "END", branches: "A A2|B" }],
    fields: { required: "", optional: "a", maybeUnset: "M.a", setAtEnd: "b m" },
  },
  {
    name: "at a shared handler nothing of the failing branch is sure",
    rows: {
      S: "A|B",
      A: { next: "A2", fail: "H", writes: "a" },
      A2: { next: "M", fail: "H", writes: "a2" },
      B: { next: "M", writes: "b", fail: "H" },
      H: { agent: "custom", reads: "a a2 b error" },
      M: { agent: "custom", reads: "a a2 b" },
    },
    splits: [{ at: "S next", meet: "END", branches: "A A2|B" }],
    fields: { optional: "a a2 b", maybeUnset: "H.a H.a2 H.b", before: { M: "", H: "a a2 b" } },
  },
  {
    name: "nested: what inner branches wrote is sure at the outer meeting",
    rows: {
      S: "A|B",
      A: "C|D",
      C: { next: "M", writes: "c" },
      D: { next: "M", writes: "d" },
      B: { next: "M", writes: "b" },
      M: { agent: "custom", reads: "b c d" },
    },
    splits: [
      { at: "S next", meet: "M", branches: "A C D|B" },
      { at: "A next", meet: "M", branches: "C|D" },
    ],
    fields: { required: "", optional: "", maybeUnset: "", setAtEnd: "b c d", before: { M: "" } },
  },
  {
    name: "isolated branches do not see each other's writes",
    rows: {
      S: "A|B",
      A: { next: "M", writes: "a" },
      B: { agent: "custom", next: "M", reads: "a" },
      M: "",
    },
    splits: [{ at: "S next", meet: "M", branches: "A|B" }],
    fields: { required: "", optional: "a", maybeUnset: "B.a", setAtEnd: "a", before: { B: "a", M: "" } },
  },
  {
    name: "a branch's node that can be come to without the split brings no other branch's writes",
    rows: {
      E: { agent: "switch", next: "S|X" },
      S: "X|Y",
      X: { next: "M", writes: "x" },
      Y: { next: "M", writes: "y" },
      M: { agent: "custom", reads: "x y" },
    },
    splits: [{ at: "S next", meet: "M", branches: "X|Y" }],
    runs: [
      { acts: { E: "to X" }, results: [{ path: "E X M", absent: "y" }] },
      { acts: { E: "to S" }, results: [{ path: "E S X Y M", state: { x: 3001, y: 4001 } }] },
    ],
    fields: { required: "", optional: "y", maybeUnset: "M.y", setAtEnd: "x", before: { M: "y" } },
  },
  {
    name: "a column that is never taken carries nothing",
    rows: {
      F: { agent: "failure", next: "B", ok: "B|C" },
      B: { writes: "b", reads: "c" },
      C: { writes: "c" },
    },
    splits: [{ at: "F success", meet: "END", branches: "B|C" }],
    fields: { setAtEnd: "b error", maybeUnset: "B.c" },
  },
];
