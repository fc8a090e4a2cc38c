import type { Shape } from "./shape.js";

/** People in the way. */
export const WAITING_SHAPES: readonly Shape[] = [
  {
    name: "wait in a chain",
    rows: { A: { writes: "a", next: "Q" }, Q: { agent: "input", writes: "q", next: "Z" }, Z: { reads: "q" } },
    splits: [],
    runs: [
      {
        results: [
          { path: "A Q", status: "suspended", waiting: "Q", state: { a: 1001 }, absent: "q" },
          { path: "A Q Z", state: { q: 2001 } },
        ],
      },
      { given: { q: "told" }, results: [{ path: "A Q Z", state: { q: "told" } }] },
    ],
    fields: { required: "", optional: "q", maybeUnset: "", setAtEnd: "a q" },
  },
  {
    name: "wait in a branch: the others settle first",
    rows: {
      S: "A|B",
      A: { agent: "input", next: "M", writes: "a" },
      B: { next: "B2", writes: "b" },
      B2: "M",
      M: "",
    },
    splits: [{ at: "S next", meet: "M", branches: "A|B B2" }],
    runs: [
      {
        results: [
          { path: "S A B B2", status: "suspended", waiting: "A", absent: "a b" },
          { path: "S A B B2 M", state: { a: 2001, b: 3001 } },
        ],
      },
    ],
  },
  {
    name: "two branches wait and are answered one by one",
    rows: {
      S: "A|B",
      A: { agent: "input", next: "A2", writes: "a" },
      A2: "M",
      B: { agent: "human", next: "M", fail: "H", writes: "b" },
      H: "",
      M: "",
    },
    splits: [{ at: "S next", meet: "END", branches: "A A2|B H" }],
    runs: [
      {
        answers: ["B", "A"],
        results: [
          { path: "S A B", status: "suspended", waiting: "A B" },
          { path: "S A B", status: "suspended", waiting: "A" },
          { path: "S A A2 B M" },
        ],
      },
      {
        acts: { B: "wait fail" },
        results: [
          { path: "S A B", status: "suspended", waiting: "A B" },
          { path: "S A A2 B H M", state: { b: 4001 }, absent: "error" },
        ],
      },
    ],
  },
  {
    name: "wait in a nested branch",
    rows: { S: "A|B", A: "C|D", C: { agent: "input", next: "N" }, D: "N", N: "M", B: "M", M: "" },
    splits: [
      { at: "S next", meet: "M", branches: "A C D N|B" },
      { at: "A next", meet: "N", branches: "C|D" },
    ],
    runs: [
      {
        results: [{ path: "S A C D B", status: "suspended", waiting: "C" }, { path: "S A C D N B M" }],
      },
    ],
  },
  {
    name: "a throw in one branch fails the run although another waits",
    rows: { S: "A|B", A: { agent: "input", next: "M" }, B: "M", M: "" },
    splits: [{ at: "S next", meet: "M", branches: "A|B" }],
    runs: [
      {
        acts: { B: "throw" },
        results: [{ path: "S A B", status: "failed", error: "agent_failed B", waiting: "" }],
      },
    ],
  },
  {
    name: "a person asked again in each round",
    rows: { A: { agent: "human", ok: "END", fail: "A" } },
    splits: [],
    runs: [
      {
        acts: { A: "wait fail, wait ok" },
        results: [
          { path: "A", status: "suspended", waiting: "A" },
          { path: "A A", status: "suspended", waiting: "A" },
          { path: "A A" },
        ],
      },
    ],
  },
  {
    name: "handlers that both wait run one after the other",
    rows: {
      S: "A|B",
      A: { next: "A2", fail: "H" },
      A2: { next: "M", fail: "K" },
      B: { next: "B2", fail: "H" },
      B2: { next: "M", fail: "K" },
      H: { agent: "input", next: "M" },
      K: { agent: "input", next: "M" },
      M: "",
    },
    splits: [{ at: "S next", meet: "M", branches: "A A2|B B2" }],
    runs: [
      {
        acts: { A: "throw", B2: "throw" },
        results: [
          { path: "S A B B2 K", status: "suspended", waiting: "K" },
          { path: "S A B B2 K H", status: "suspended", waiting: "H" },
          { path: "S A B B2 K H M" },
        ],
      },
    ],
  },
];
