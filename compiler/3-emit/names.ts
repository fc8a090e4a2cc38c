/** Words of a name, for identifiers and file names. */
function words(name: string): readonly string[] {
  const split = name.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2");
  return split.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}

const upper = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const lower = (word: string): string => word.charAt(0).toLowerCase() + word.slice(1);

const plain = (text: string): string => text.normalize("NFKD").replace(/[^A-Za-z0-9]/g, "");

/** `order approval` as a type's name: `OrderApproval`. */
export function pascalCase(name: string): string {
  const text = words(name)
    .map((word) => upper(plain(word)))
    .join("");
  return /^[A-Za-z]/.test(text) ? text : `Graph${text}`;
}

/** `Order Approval` as a value's name: `orderApproval`. */
export function camelCase(name: string): string {
  return lower(pascalCase(name));
}

/** `OrderApproval` as a file's name: `order-approval`; empty when nothing of it is plain enough. */
export function kebabCase(name: string): string {
  const text = words(name)
    .map((word) => plain(word).toLowerCase())
    .filter((word) => word !== "");
  return text.join("-");
}

/** Names that Windows keeps for its devices, whatever ending a file has. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** A file's name without its ending, as `kebabCase` makes it; its kind stands behind a name that not every system can have. */
export function fileStem(name: string, kind: string): string {
  const stem = kebabCase(name);
  return DEVICE.test(stem) ? `${stem}-${kind}` : stem;
}
