/** What is wrong with a name: it is one that JavaScript keeps for itself, or it breaks a rule. */
export type NameFault = { readonly kind: "reserved" } | { readonly kind: "bad"; readonly why: string };

const LONGEST = 128;

/** True for the three names that no graph, node, field or setting may have. */
export function isReserved(name: string): boolean {
  return name === "__proto__" || name === "prototype" || name === "constructor";
}

const CONTROL = /\p{Cc}/u;
const BIDI = /\p{Bidi_Control}/u;
const LONE_SURROGATE = /\p{Cs}/u;
const INVISIBLE = /[\u200b-\u200d\ufeff]/u;
/** The same characters where they do their proper work: between the letters of a word, or inside an emoji. */
const INVISIBLE_IN_PLACE =
  /(?<=[\p{L}\p{M}\p{N}])[\u200b-\u200d\ufeff](?=[\p{L}\p{M}\p{N}])|(?<=[\p{ExtPict}\p{EMod}]|\ufe0f)\u200d(?=\p{ExtPict})/gu;
const PLAIN = /^[\w .-]*$/;

/** What is wrong with the name of a node; null when nothing is. */
export function nodeNameFault(name: string): NameFault | null {
  if (isReserved(name)) return { kind: "reserved" };
  if (name.length <= LONGEST && PLAIN.test(name)) return null;
  const why = commonFault(name);
  return why === null ? null : { kind: "bad", why };
}

/** What is wrong with the name of a graph; null when nothing is. */
export function graphNameFault(name: string): NameFault | null {
  const fault = nodeNameFault(name);
  if (fault !== null) return fault;
  const mark = ["/", "\\", "::"].find((mark) => name.includes(mark));
  return mark === undefined
    ? null
    : { kind: "bad", why: `holds ${mark}, which parts a graph's name from its sheet's` };
}

function commonFault(name: string): string | null {
  if (isLong(name)) return `is longer than ${LONGEST} characters`;
  if (name.includes("|")) return "holds a |, which parts the names of a list";
  if (CONTROL.test(name)) return "holds a control character, such as a line break";
  if (BIDI.test(name)) return "holds a character that turns the direction of writing";
  if (LONE_SURROGATE.test(name)) return "holds half of a character";
  if (INVISIBLE.test(name.replace(INVISIBLE_IN_PLACE, ""))) return "holds an invisible character";
  return null;
}

/** Characters are code points: an emoji counts once. */
function isLong(name: string): boolean {
  if (name.length <= LONGEST) return false;
  return name.length > 2 * LONGEST || [...name].length > LONGEST;
}

const LETTER = /^[\p{L}_]/u;
const FIELD_CHARACTER = /^[\p{L}\p{M}\p{Nd}_-]$/u;
const PLAIN_FIELD = /^[A-Za-z_][\w-]*$/;

/** True for a field name of nothing but ASCII that is not reserved. */
export function isPlainField(name: string): boolean {
  return name.length <= LONGEST && PLAIN_FIELD.test(name) && !isReserved(name);
}

/** Why a name is no field name; null when it is one. Reserved names are told apart by `isReserved`. */
export function fieldNameFault(name: string): string | null {
  if (name.length <= LONGEST && PLAIN_FIELD.test(name)) return null;
  if (name === "") return "its name is empty";
  if (isLong(name)) return `its name is longer than ${LONGEST} characters`;
  if (!LETTER.test(name)) return "its name does not begin with a letter or _";
  for (const character of name) {
    if (!FIELD_CHARACTER.test(character)) return `its name holds ${JSON.stringify(character)}`;
  }
  return null;
}

/** True for a character that may stand in a field's name, after its first. */
export function isFieldCharacter(character: string): boolean {
  return FIELD_CHARACTER.test(character);
}
