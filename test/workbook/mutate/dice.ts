/** Gives a number below `sides`. */
export type Dice = (sides: number) => number;

/** Numbers that come out the same for the same seed. */
export function createDice(seed: number): Dice {
  let state = seed >>> 0 || 1;
  return (sides) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % sides;
  };
}

/** One of several. */
export function oneOf<T>(all: readonly T[], dice: Dice): T {
  if (all.length === 0) throw new Error("there is nothing to choose from");
  return all[dice(all.length)] as T;
}
