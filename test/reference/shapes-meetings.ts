import type { Shape } from "./shape.js";

/** Where branches meet when nothing fails. */
export const MEETING_SHAPES: readonly Shape[] = [
  {
    name: "diamond",
    rows: {
      S: { next: "A|B", writes: "s" },
      A: { next: "M", reads: "s", writes: "a" },
      B: { next: "M", reads: "s", writes: "b" },
      M: { reads: "a b", writes: "m" },
    },
    splits: [{ at: "S next", meet: "M", branches: "A|B" }],
    runs: [
      { results: [{ path: "S A B M", state: { s: 1001, a: 2001, b: 3001, m: 4001 } }] },
      {
        acts: { B: "throw" },
        results: [{ path: "S A B", status: "failed", error: "agent_failed B", absent: "a b error" }],
      },
      {
        acts: { M: "throw" },
        results: [{ path: "S A B M", status: "failed", error: "agent_failed M", state: { a: 2001 } }],
      },
    ],
    fields: {
      required: "",
      optional: "",
      maybeUnset: "",
      setAtEnd: "a b m s",
      before: { M: "m", A: "a b m" },
    },
  },
  {
    name: "A|B where A leads to B: A, then B",
    rows: { S: "A|B", A: "B", B: "" },
    splits: [{ at: "S next", meet: "B", branches: "A|" }],
    runs: [{ results: [{ path: "S A B" }] }],
  },
  {
    name: "three branches of different length",
    rows: { S: "A|B|C", A: "A2", A2: "M", B: "M", C: "C2", C2: "M", M: "" },
    splits: [{ at: "S next", meet: "M", branches: "A A2|B|C C2" }],
    runs: [{ results: [{ path: "S A A2 B C C2 M" }] }],
  },
  {
    name: "nested split with a meeting of its own",
    rows: { S: "A|B", A: "A1|A2", A1: "N", A2: "N", N: "M", B: "M", M: "" },
    splits: [
      { at: "S next", meet: "M", branches: "A A1 A2 N|B" },
      { at: "A next", meet: "N", branches: "A1|A2" },
    ],
    runs: [{ results: [{ path: "S A A1 A2 N B M" }] }],
  },
  {
    name: "nested split that meets where the outer one meets",
    rows: { S: "A|B", A: "A1|A2", A1: "M", A2: "M", B: "M", M: "" },
    splits: [
      { at: "S next", meet: "M", branches: "A A1 A2|B" },
      { at: "A next", meet: "M", branches: "A1|A2" },
    ],
    runs: [{ results: [{ path: "S A A1 A2 B M" }] }],
  },
  {
    name: "nested split that hands over two positions",
    rows: { S: "A|B", A: "C|D", C: "P", D: "Q", B: { agent: "switch", next: "P|Q" }, P: "M", Q: "M", M: "" },
    splits: [
      { at: "S next", meet: "M", branches: "A C D|B" },
      { at: "A next", meet: "M", branches: "C P|D Q" },
    ],
    runs: [
      { acts: { B: "to P" }, results: [{ path: "S A C D B P Q M" }] },
      { acts: { B: "to Q" }, results: [{ path: "S A C D B P Q M" }] },
    ],
  },
  {
    name: "a split behind the first of several positions stops at the others",
    rows: {
      S: "X|Y",
      X: { agent: "switch", next: "P|Q" },
      Y: { agent: "switch", next: "P|Q" },
      P: "C|D",
      C: "Q",
      D: "M",
      Q: "M",
      M: "",
    },
    splits: [
      { at: "S next", meet: "M", branches: "X|Y" },
      { at: "P next", meet: "M", branches: "C Q|D" },
    ],
    runs: [
      { acts: { X: "to P", Y: "to Q" }, results: [{ path: "S X Y P C D Q M" }] },
      { acts: { X: "to Q", Y: "to Q" }, results: [{ path: "S X Y Q M" }] },
      { acts: { X: "to P", Y: "to P" }, results: [{ path: "S X Y P C Q D M" }] },
    ],
  },
  {
    name: "a branch is held up at a waiting position that only it leads to",
    rows: { S: "A|B", A: "C|B", B: "C|END", C: "" },
    splits: [
      { at: "S next", meet: "END", branches: "A|" },
      { at: "A next", meet: "END", branches: "|B" },
      { at: "B next", meet: "END", branches: "C|" },
    ],
    runs: [{ results: [{ path: "S A B C" }] }],
  },
  {
    name: "branches that never meet",
    rows: { S: "A|B", A: { writes: "a" }, B: { next: "B2", writes: "b" }, B2: "" },
    splits: [{ at: "S next", meet: "END", branches: "A|B B2" }],
    runs: [{ results: [{ path: "S A B B2", state: { a: 2001, b: 3001 } }] }],
    fields: { setAtEnd: "a b" },
  },
  {
    name: "END in the list",
    rows: { S: "A|END", A: { writes: "a" } },
    splits: [{ at: "S next", meet: "END", branches: "A|" }],
    runs: [{ results: [{ path: "S A", state: { a: 2001 } }] }],
  },
  {
    name: "END in a branch ends that branch only",
    rows: { S: "A|B", A: { agent: "branching", ok: "M", fail: "END" }, B: "M", M: "" },
    splits: [{ at: "S next", meet: "END", branches: "A|B" }],
    runs: [{ results: [{ path: "S A B M" }] }, { acts: { A: "fail" }, results: [{ path: "S A B M" }] }],
  },
  {
    name: "one branch meets two others at two places",
    rows: { S: "A|B|C", A: "P", B: { agent: "switch", next: "P|Q" }, C: "Q", P: "Q", Q: "M", M: "" },
    splits: [{ at: "S next", meet: "Q", branches: "A|B|C" }],
    runs: [
      { acts: { B: "to Q" }, results: [{ path: "S A B C P Q M" }] },
      { acts: { B: "to P" }, results: [{ path: "S A B C P Q M" }] },
    ],
  },
  {
    name: "a switch does not split",
    rows: { S: { agent: "switch", next: "A|B" }, A: "M", B: "M", M: "" },
    splits: [],
    runs: [{ acts: { S: "to B" }, results: [{ path: "S B M" }] }],
  },
  {
    name: "a switch inside a branch chooses among the branch's nodes",
    rows: { S: "A|B", A: { agent: "switch", next: "C|D" }, C: "M", D: "M", B: "M", M: "" },
    splits: [{ at: "S next", meet: "M", branches: "A C D|B" }],
    runs: [{ acts: { A: "to D" }, results: [{ path: "S A D B M" }] }],
  },
  {
    name: "two splits one after the other",
    rows: { S: "A|B", A: "T", B: "T", T: "C|D", C: "M", D: "M", M: "" },
    splits: [
      { at: "S next", meet: "T", branches: "A|B" },
      { at: "T next", meet: "M", branches: "C|D" },
    ],
    runs: [{ results: [{ path: "S A B T C D M" }] }],
  },
  {
    name: "two branches that write one field",
    rows: {
      S: "A|B",
      A: { next: "M", writes: "x" },
      B: { next: "B2" },
      B2: { next: "M", writes: "x" },
      M: "",
    },
    splits: [{ at: "S next", meet: "M", branches: "A|B B2", conflicts: ["x A B2"] }],
  },
  {
    name: "merges",
    rows: {
      S: { next: "A|B|C", merge: { x: "append", y: "last", z: "sum" } },
      A: { next: "M", writes: "x y z" },
      B: { next: "M", writes: "x y z" },
      C: "M",
      M: "",
    },
    splits: [{ at: "S next", meet: "M", branches: "A|B|C" }],
    runs: [
      { results: [{ path: "S A B C M", state: { x: [2001, 3001], y: 3001, z: 5002 } }] },
      { given: { x: [7], z: 5 }, results: [{ path: "S A B C M", state: { x: [7, 2001, 3001], z: 5002 } }] },
    ],
  },
  {
    name: "shared nodes never conflict, and error is exempt",
    rows: {
      S: "A|B",
      A: { next: "P", writes: "x error" },
      B: { next: "P", writes: "error" },
      P: { writes: "x" },
    },
    splits: [{ at: "S next", meet: "P", branches: "A|B" }],
    runs: [{ results: [{ path: "S A B P", state: { error: 3001, x: 4001 } }] }],
  },
  {
    name: "nested split: conflict in the inner split only, merged there",
    rows: {
      S: "A|B",
      A: { next: "C|D", merge: { x: "append" } },
      C: { next: "N", writes: "x" },
      D: { next: "N", writes: "x" },
      N: "M",
      B: "M",
      M: "",
    },
    splits: [
      { at: "S next", meet: "M", branches: "A C D N|B" },
      { at: "A next", meet: "N", branches: "C|D" },
    ],
    runs: [{ results: [{ path: "S A C D N B M", state: { x: [3001, 4001] } }] }],
  },
];
