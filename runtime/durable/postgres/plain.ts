import { StoreError } from "../store-error.js";

/** PostgreSQL's texts have no U+0000. In JSON it is written with other signs. */
const NOTHING = "\u0000";

/** A text for people to read, without what PostgreSQL cannot keep. */
export const plain = (text: string): string => text.replaceAll(NOTHING, "\ufffd");

/** A longer one does not fit into an index. */
const LONGEST = 2_000;

/** Refuses a name that PostgreSQL cannot keep as it is: with another one it would not be found again. */
export function named(what: string, name: string | null): void {
  if (name === null) return;
  if (name.includes(NOTHING))
    throw new StoreError(
      "input_invalid",
      `the ${what} of the run holds the sign U+0000, which cannot be kept`,
    );
  if (Buffer.byteLength(name) > LONGEST)
    throw new StoreError("input_invalid", `the ${what} of the run is longer than ${LONGEST} bytes`);
}
