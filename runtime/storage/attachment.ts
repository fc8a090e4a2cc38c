import { failure, NO_FILE, told } from "./failure.js";
import { parseFileName } from "./file-name.js";
import { atSpot, openForReading } from "./jail.js";

const LARGEST = 20_000_000;

/** The bytes of a file in the data folder. */
export async function readAttachment(root: string, file: string): Promise<Buffer> {
  const parts = parseFileName(file, null);
  const shown = parts.join("/");
  return told(shown, async () => {
    const bytes = await atSpot({ root, parts, shown, make: false }, async (spot) => {
      const opened = await openForReading(spot);
      if (opened === null) return null;
      try {
        if (opened.stats.size > LARGEST) throw failure(shown, `it has more than ${LARGEST} bytes`);
        return await opened.handle.readFile();
      } finally {
        await opened.handle.close();
      }
    });
    if (bytes === null) throw failure(shown, NO_FILE);
    return bytes;
  });
}
