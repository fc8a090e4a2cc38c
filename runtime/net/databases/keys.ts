/** The table of changes that must happen once, for both databases. It stands in the database that is changed. */

export const MAKE_KEYS =
  "CREATE TABLE IF NOT EXISTS flowsheet_keys (key TEXT PRIMARY KEY, answer TEXT, at TEXT NOT NULL)";

/** Values are the key, and the time. It changes nothing when the key is there. */
export const takeKey = (first: string, second: string): string =>
  `INSERT INTO flowsheet_keys (key, at) VALUES (${first}, ${second}) ON CONFLICT (key) DO NOTHING`;

export const readKey = (first: string): string => `SELECT answer FROM flowsheet_keys WHERE key = ${first}`;

/** Values are the answer, and the key. */
export const keepAnswer = (first: string, second: string): string =>
  `UPDATE flowsheet_keys SET answer = ${first} WHERE key = ${second}`;
