/** Whether these tests run for CI: then they have their long forms, which a person would not wait for. */
export const inCi: boolean = !["", "0", "false"].includes(process.env["CI"] ?? "");

/** How often chance is tried, or how large something is. The environment may ask for another number. */
export const howMany = (inLongForm: number, here: number, variable = "PROPERTY_RUNS"): number =>
  Number(process.env[variable] ?? (inCi ? inLongForm : here));
