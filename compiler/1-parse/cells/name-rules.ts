/** A word that JavaScript reserves, or a name that breaks a rule. */
export type NameFault = { readonly kind: "reserved" } | { readonly kind: "bad"; readonly why: string };

const LONGEST = 128;

export function isReserved(name: string): boolean {
  return name === "__proto__" || name === "prototype" || name === "constructor";
}

const PLAIN = /^[\w .-]*$/;

export function nodeNameFault(name: string): NameFault | null {
  if (isReserved(name)) return { kind: "reserved" };
  if (name.length <= LONGEST && PLAIN.test(name)) return null;
  const why = commonFault(name);
  return why === null ? null : { kind: "bad", why };
}

export function graphNameFault(name: string): NameFault | null {
  const fault = nodeNameFault(name);
  if (fault !== null) return fault;
  const mark = ["/", "\\", "::"].find((mark) => name.includes(mark));
  return mark === undefined
    ? null
    : { kind: "bad", why: `holds ${mark}, which parts a graph's name from its sheet's` };
}

/** The regular expressions stand in place: at the top of the file, each start of the program would pay for them. */
function commonFault(name: string): string | null {
  if (isLong(name)) return `is longer than ${LONGEST} characters`;
  if (name.includes("|")) return "holds a |, which parts the names of a list";
  if (/\p{Cc}/u.test(name)) return "holds a control character, such as a line break";
  if (/\p{Bidi_Control}/u.test(name)) return "holds a character that turns the direction of writing";
  if (/\p{Cs}/u.test(name)) return "holds half of a character";
  if (/[\u200b-\u200d\ufeff]/u.test(withoutJoiners(name))) return "holds an invisible character";
  return null;
}

/** Invisible characters do their proper work between the letters of a word, or inside an emoji. */
const withoutJoiners = (name: string): string =>
  name.replace(
    /(?<=[\p{L}\p{M}\p{N}])[\u200b-\u200d\ufeff](?=[\p{L}\p{M}\p{N}])|(?<=[\p{ExtPict}\p{EMod}]|\ufe0f)\u200d(?=\p{ExtPict})/gu,
    "",
  );

/** Characters are code points: an emoji counts once. */
function isLong(name: string): boolean {
  if (name.length <= LONGEST) return false;
  return name.length > 2 * LONGEST || [...name].length > LONGEST;
}

const PLAIN_FIELD = /^[A-Za-z_][\w-]*$/;

/** True for a field name of nothing but ASCII that is not reserved. */
export function isPlainField(name: string): boolean {
  return name.length <= LONGEST && PLAIN_FIELD.test(name) && !isReserved(name);
}

/** The reason why a name is no field name; null when it is one. `isReserved` finds reserved names. */
export function fieldNameFault(name: string): string | null {
  if (name.length <= LONGEST && PLAIN_FIELD.test(name)) return null;
  if (name === "") return "its name is empty";
  if (isLong(name)) return `its name is longer than ${LONGEST} characters`;
  if (!/^[\p{L}_]/u.test(name)) return "its name does not begin with a letter or _";
  for (const character of name) {
    if (!isFieldCharacter(character)) return `its name holds ${JSON.stringify(character)}`;
  }
  return null;
}

export function isFieldCharacter(character: string): boolean {
  return /^[\w-]$/.test(character) || /^[\p{L}\p{M}\p{Nd}]$/u.test(character);
}
