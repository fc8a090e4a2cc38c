/** So many texts of statements are kept as the server reads them. */
const MOST = 1_000;

/** Statements as the server reads them: with the schema's own name, and numbers for `?`. */
export class Texts {
  readonly #schema: string;
  readonly #known = new Map<string, string>();

  constructor(schema: string) {
    this.#schema = quoted(schema);
  }

  of(sql: string): string {
    const known = this.#known.get(sql);
    if (known !== undefined) return known;
    let n = 0;
    const text = sql.replace(/\bflowsheet\./g, `${this.#schema}.`).replace(/\?/g, () => `$${++n}`);
    if (this.#known.size === MOST) this.#known.clear();
    this.#known.set(sql, text);
    return text;
  }
}

/** A name as it stands in a statement. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A list as PostgreSQL reads it. `pg` takes seconds for a long text. */
export const arrayText = (values: readonly (string | number | null)[]): string =>
  `{${values.map(elementText).join(",")}}`;

/** What JSON would write in another way than PostgreSQL: control characters, and halves of a sign. */
const UNLIKE_JSON = /[\u0000-\u001f]|\p{Cs}/u;

function elementText(value: string | number | null): string {
  if (value === null) return "NULL";
  if (typeof value === "number") return String(Math.round(value));
  return UNLIKE_JSON.test(value) ? `"${value.replace(/["\\]/g, "\\$&")}"` : JSON.stringify(value);
}
