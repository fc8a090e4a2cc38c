import fc from "fast-check";

/** True in so many cases of a hundred. */
export const chance = (percent: number): fc.Arbitrary<boolean> =>
  fc.nat(99).map((roll) => roll >= 100 - percent);

/** Something in so many cases of a hundred, else null. */
export const maybe = <T>(percent: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 100 - percent, arbitrary: fc.constant(null) }, { weight: percent, arbitrary });
