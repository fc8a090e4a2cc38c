import { type WriteSheet, writeXlsx } from "hucre/xlsx";

/** What an analyst types: a formula cell begins with `=`; a share with its percent sign, a day as a date. */
type Typed = string | number | boolean | Date | { readonly share: number };

const FLOW: readonly (readonly Typed[])[] = [
  [
    ...["graph_name", "node_name", "agent_type", "next_node", "next_on_success", "next_on_failure"],
    ...["input_fields", "output_field", "prompt", "context.if"],
  ],
  [
    ...["Purchase", "Gross", "formula", "Level", "", "", "net:number|category", "gross"],
    '=ROUND(net*(1+LOOKUP(category,"VAT","rate")),2)',
  ],
  [
    ...["Purchase", "Level", "formula", "Due", "", "", "gross", "level"],
    '=LOOKUP(gross,"Limits","who",TRUE)',
  ],
  [
    ...["Purchase", "Due", "formula", "Free", "", "", "Ordered:string|level", "due"],
    '=DATEADD(Ordered,IF(level="board",14,3),"D")',
  ],
  ["Purchase", "Free", "branching", "", "Buy", "Approve", "level", "", "", '=level="nobody"'],
  [
    ...["Purchase", "Approve", "human", "", "Buy", "Decline", "item|gross|level|due", "verdict|comment"],
    "{level}: may we buy {item} for {gross} until {due}?",
  ],
  [
    ...["Purchase", "Buy", "formula", "", "", "", "item|gross", "message"],
    '=item&" is bought for "&TEXT(gross,"#,##0.00")',
  ],
  // Typed as text, with an apostrophe in front, and as a German program would have it.
  [
    ...["Purchase", "Decline", "formula", "", "", "", "item|comment?", "message"],
    '\'=item & " is declined: " & IFBLANK(comment; "no reason")',
  ],
];

const VAT: readonly (readonly Typed[])[] = [
  ["category", "rate"],
  ["book", { share: 0.07 }],
  ["device", { share: 0.19 }],
];
const LIMITS: readonly (readonly Typed[])[] = [
  ["Who must agree, by the price with VAT"],
  [],
  ["from", "who", "since", "checked"],
  [0, "nobody", new Date(Date.UTC(2026, 0, 1)), true],
  [500, "manager", new Date(Date.UTC(2026, 0, 1)), true],
  [5000, "board", new Date(Date.UTC(2026, 5, 1)), false],
];
const TESTS: readonly (readonly Typed[])[] = [
  [
    ...[
      "case",
      "graph_name",
      "given.net",
      "given.category",
      "given.item",
      "given.Ordered",
      "answers.Approve",
    ],
    ...[
      "expect_path",
      "expect_state.gross",
      "expect_state.level",
      "expect_state.due",
      "expect_state.message",
    ],
  ],
  [
    ...["a book needs nobody", "Purchase", 100, "book", "a book", new Date(Date.UTC(2026, 10, 22)), ""],
    ...["Gross>Level>Due>Free>Buy", 107, "nobody", "", "a book is bought for 107.00"],
  ],
  [
    ...["a van is declined", "Purchase", 20_000, "device", "a van", new Date(Date.UTC(2026, 10, 22)), "no"],
    ...["*>Approve>Decline", 23_800, "board", new Date(Date.UTC(2026, 11, 6)), ""],
  ],
];

export const sheetsOf = (tables: {
  readonly [name: string]: readonly (readonly Typed[])[];
}): readonly WriteSheet[] =>
  Object.entries(tables).map(([name, rows]) => {
    const cells: NonNullable<WriteSheet["cells"]> = new Map();
    const plain = rows.map((row, r) =>
      row.map((typed, c) => {
        if (typeof typed === "string" && typed.startsWith("=")) {
          cells.set(`${r},${c}`, { formula: typed.slice(1), formulaResult: "#NAME?" });
          return null;
        }
        if (typed instanceof Date) cells.set(`${r},${c}`, { style: { numFmt: "dd.mm.yyyy" } });
        if (typeof typed !== "object" || typed instanceof Date) return typed === "" ? null : typed;
        cells.set(`${r},${c}`, { style: { numFmt: "0%" } });
        return typed.share;
      }),
    );
    return { name, rows: plain, cells };
  });

/** The purchase approval of an analyst, as the library hucre writes it. */
export const purchaseBook = (): Promise<Uint8Array> =>
  writeXlsx({ sheets: [...sheetsOf({ Flow: FLOW, VAT, Limits: LIMITS, Tests: TESTS })] });
