import { z } from "zod";
import { createSecret, type Secret } from "./secrets.js";

/** The error of each leaf is what it must be: `server.port must be a whole number, 0 to 65535`. */
const must = (expected: string): { readonly error: string } => ({ error: expected });

export const text = (expected = "text"): z.ZodString => z.string(must(expected)).min(1, must(expected));

export const secret = (expected = "text"): z.ZodPipe<z.ZodString, z.ZodTransform<Secret, string>> =>
  text(expected).transform(createSecret);

export const formed = (pattern: RegExp, expected: string): z.ZodString =>
  z.string(must(expected)).regex(pattern, must(expected));

export function whole(least: number, most = Number.MAX_SAFE_INTEGER): z.ZodInt {
  const top = most === Number.MAX_SAFE_INTEGER ? ", or more" : ` to ${most}`;
  const expected = must(`a whole number, ${least}${top}`);
  return z.int(expected).min(least, expected).max(most, expected);
}

export const flag = (): z.ZodBoolean => z.boolean(must("true or false"));

export const oneOf = <const W extends readonly [string, ...string[]]>(
  words: W,
): z.ZodEnum<{ [K in W[number]]: K }> =>
  z.enum(words, must(words.length === 1 ? words[0] : `one of ${words.join(", ")}`));

export const listOf = <T extends z.ZodType>(item: T, expected: string): z.ZodArray<T> =>
  z.array(item, must(expected));

/** A mapping of names that the user chooses. */
export const named = <T extends z.ZodType>(item: T): z.ZodRecord<z.ZodString, T> =>
  z.record(z.string(), item, must("a mapping of names"));

export const settings = <S extends z.core.$ZodLooseShape>(shape: S): z.ZodObject<S, z.core.$strict> =>
  z.strictObject(shape, must("a mapping of settings"));
