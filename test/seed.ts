/** What random cases begin with: `PROPERTY_SEED=random` looks for new ones, a number repeats those of one run. */
const asked = process.env["PROPERTY_SEED"] ?? "20261123";

/** Fixed, so that a red run is about the change that it tests, and fails again. */
export const firstSeed: number = asked === "random" ? Math.floor(Math.random() * 2 ** 31) : Number(asked);
