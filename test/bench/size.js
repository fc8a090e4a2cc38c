// In the short form each measurement is made once, and small. It shows that everything can be measured, and nothing more.
if (process.argv.includes("--short")) process.env.BENCH_SHORT = "1";

export const SHORT = process.env.BENCH_SHORT === "1";

/** How much is measured, in the long form and in the short one. */
export const sized = (long, short) => (SHORT ? short : long);
