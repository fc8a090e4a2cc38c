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
