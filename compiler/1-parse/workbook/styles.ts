import { BOOK_LIMITS } from "./limits.js";
import { type NumberKind, numberKind } from "./number-text.js";
import { tooLarge } from "./refusal.js";
import { readXml } from "./xml.js";

/** What the format of each style makes of a number, by the number of the style. */
export function readStyles(part: string, bytes: Uint8Array): readonly NumberKind[] {
  const codes = new Map<number, string>();
  const kinds: NumberKind[] = [];
  let isInCells = false;
  readXml(part, bytes, {
    open: ({ name, attribute }) => {
      if (name === "numFmt") codes.set(Number(attribute("numFmtId")), attribute("formatCode") ?? "");
      if (name === "cellXfs") isInCells = true;
      if (name !== "xf" || !isInCells) return;
      if (kinds.length === BOOK_LIMITS.styles)
        throw tooLarge("it has more than 100,000 formats of cells", "100,000 formats of cells");
      const id = Number(attribute("numFmtId") ?? 0);
      kinds.push(numberKind(id, codes.get(id) ?? null));
    },
    close: (name) => {
      if (name === "cellXfs") isInCells = false;
    },
    text: () => {},
  });
  return kinds;
}
