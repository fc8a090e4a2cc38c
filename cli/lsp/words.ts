/** Names that editors and the server share. */

export const FIX_ALL = "source.fixAll.flowsheet";

/** What the server does when it is asked to. */
export const COMMANDS = { scaffold: "flowsheet.scaffold", explain: "flowsheet.explain" } as const;

/** What the editor does: each takes `{uri, graph}`. */
export const LENSES = {
  run: "flowsheet.run",
  test: "flowsheet.test",
  openGenerated: "flowsheet.openGenerated",
} as const;

export const PICTURE = "flowsheet/picture";
