function words(name: string): readonly string[] {
  const split = name.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2");
  return split.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}

const upper = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

const plain = (text: string): string => text.normalize("NFKD").replace(/[^A-Za-z0-9]/g, "");

/** `order approval` as a type's name: `OrderApproval`. */
export function pascalCase(name: string): string {
  const text = words(name)
    .map((word) => upper(plain(word)))
    .join("");
  return /^[A-Za-z]/.test(text) ? text : `Graph${text}`;
}

/** `HTTPCheck` becomes `HTTP Check`, but `FAQs` stays as it is. */
export const splitAcronyms = (name: string): string =>
  name.replace(/(?<=\p{Lu})(?=\p{Lu}(?!s(?!\p{Ll}))\p{Ll})/gu, " ");

/** `Order Approval` as a value's name: `orderApproval`. An acronym that begins it is one word: `FAQBot` is `faqBot`. */
export function camelCase(name: string): string {
  const [first = "", ...others] = words(splitAcronyms(name))
    .map(plain)
    .filter((word) => word !== "");
  // In a name that is all capitals an acronym looks like any other word.
  const isShouted = !/[a-z]/.test(first + others.join(""));
  const rest = others.map((word) => upper(isShouted ? word.toLowerCase() : word)).join("");
  return /^[A-Za-z]/.test(first) ? first.toLowerCase() + rest : `graph${first}${rest}`;
}

/** `OrderApproval` as a file's name: `order-approval`; empty for a name without ASCII letters and digits. */
export function kebabCase(name: string): string {
  const text = words(name)
    .map((word) => plain(word).toLowerCase())
    .filter((word) => word !== "");
  return text.join("-");
}
