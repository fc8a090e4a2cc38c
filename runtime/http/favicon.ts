const SIZE = 16;
/** Three cells of a sheet that lead on to each other. */
const PICTURE = [
  "................",
  ".######.........",
  ".######.........",
  ".######ooo......",
  ".######..o......",
  ".........o......",
  ".....######.....",
  ".....######.....",
  ".....######ooo..",
  ".....######..o..",
  ".............o..",
  ".........######.",
  ".........######.",
  ".........######.",
  ".........######.",
  "................",
];
const COLORS: { readonly [letter: string]: readonly [blue: number, green: number, red: number] } = {
  "#": [0x6a, 0x7a, 0x0f],
  o: [0x55, 0x55, 0x55],
};

/** The service's icon as an .ico file with one picture. */
export function createFavicon(): Buffer {
  const pixels = Buffer.alloc(SIZE * SIZE * 4);
  // Rows stand from the bottom to the top.
  for (const [row, line] of [...PICTURE].reverse().entries()) {
    for (const [column, letter] of [...line].entries()) {
      const color = COLORS[letter];
      if (color !== undefined) pixels.set([...color, 0xff], (row * SIZE + column) * 4);
    }
  }
  const mask = Buffer.alloc(SIZE * 4);
  const picture = Buffer.concat([bitmapHeader(), pixels, mask]);
  const directory = Buffer.alloc(22);
  directory.writeUInt16LE(1, 2);
  directory.writeUInt16LE(1, 4);
  directory.set([SIZE, SIZE], 6);
  directory.writeUInt16LE(1, 10);
  directory.writeUInt16LE(32, 12);
  directory.writeUInt32LE(picture.length, 14);
  directory.writeUInt32LE(directory.length, 18);
  return Buffer.concat([directory, picture]);
}

function bitmapHeader(): Buffer {
  const header = Buffer.alloc(40);
  header.writeUInt32LE(header.length, 0);
  header.writeInt32LE(SIZE, 4);
  // Picture and mask together.
  header.writeInt32LE(SIZE * 2, 8);
  header.writeUInt16LE(1, 12);
  header.writeUInt16LE(32, 14);
  return header;
}
