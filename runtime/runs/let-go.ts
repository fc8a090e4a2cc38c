/** The reason of a signal that stops the work on a run, which then waits for others, in place of cancelling it. */
export const LET_GO: unique symbol = Symbol("let go");
