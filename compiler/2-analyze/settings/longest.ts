import type { Json } from "../../ir.js";

/** A hundred years. Far longer ones lead to times that no date can hold. */
const LONGEST_MS = 3_155_760_000_000;

export const SHORT_ENOUGH = `at most ${LONGEST_MS}, which is 100 years`;

export const isTooLong = (value: Json): boolean => typeof value === "number" && value > LONGEST_MS;
