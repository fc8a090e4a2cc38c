import { type Dice, oneOf } from "./dice.js";

/** The fields of each record of an archive: where they stand, and how many bytes they have. */
const FIELDS: {
  readonly [K in "local" | "central" | "end"]: readonly (readonly [offset: number, size: 2 | 4])[];
} = {
  local: [
    [4, 2],
    [6, 2],
    [8, 2],
    [14, 4],
    [18, 4],
    [22, 4],
    [26, 2],
    [28, 2],
  ],
  central: [
    [8, 2],
    [10, 2],
    [16, 4],
    [20, 4],
    [24, 4],
    [28, 2],
    [30, 2],
    [32, 2],
    [42, 4],
  ],
  end: [
    [4, 2],
    [8, 2],
    [10, 2],
    [12, 4],
    [16, 4],
    [20, 2],
  ],
};
const SIGNATURES = { local: 0x04034b50, central: 0x02014b50, end: 0x06054b50 } as const;
type Kind = keyof typeof FIELDS;

function recordsOf(view: DataView): readonly { readonly kind: Kind; readonly at: number }[] {
  const found: { kind: Kind; at: number }[] = [];
  for (let at = 0; at + 22 <= view.byteLength; at++)
    for (const kind of ["local", "central", "end"] as const)
      if (view.getUint32(at, true) === SIGNATURES[kind]) found.push({ kind, at });
  return found;
}

/** Changes fields of the records of an archive: sizes, places, counts, ways to pack, checksums. */
export function mutateArchive(bytes: Uint8Array, dice: Dice): Uint8Array {
  const copy = bytes.slice();
  const view = new DataView(copy.buffer, copy.byteOffset, copy.length);
  const records = recordsOf(view);
  for (let left = 1 + dice(3); left > 0; left--) {
    const { kind, at } = oneOf(records, dice);
    const [offset, size] = oneOf(FIELDS[kind], dice);
    if (at + offset + size > copy.length) continue;
    const was = size === 2 ? view.getUint16(at + offset, true) : view.getUint32(at + offset, true);
    const values = [
      0,
      1,
      was + 1,
      was - 1,
      was * 2,
      0xffff,
      0x7fffffff,
      0xffffffff,
      50 * 1024 * 1024,
      oneOf(records, dice).at,
    ];
    const value = oneOf(values, dice);
    if (size === 2) view.setUint16(at + offset, value & 0xffff, true);
    else view.setUint32(at + offset, value >>> 0, true);
  }
  return dice(10) === 0 ? withCopied(copy, dice) : copy;
}

/** A stretch of the archive stands there twice, or is gone. */
function withCopied(bytes: Uint8Array, dice: Dice): Uint8Array {
  const from = dice(bytes.length);
  const to = Math.min(bytes.length, from + dice(400));
  const twice = dice(2) === 0;
  return Buffer.concat([bytes.subarray(0, twice ? to : from), bytes.subarray(twice ? from : to)]);
}
