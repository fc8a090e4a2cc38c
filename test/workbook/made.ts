import { crc32, deflateRawSync } from "node:zlib";

/** A part of an archive, with what is wrong with it on purpose. */
export interface MadePart {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly stored?: boolean;
  /** What the headers say in place of the truth. */
  readonly size?: number;
  readonly crc?: number;
  readonly flags?: number;
  readonly method?: number;
}

/** An archive, made byte by byte. */
export function zipOf(parts: readonly MadePart[], comment = ""): Uint8Array<ArrayBuffer> {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const content = typeof part.content === "string" ? Buffer.from(part.content) : Buffer.from(part.content);
    const data = part.stored === true ? content : deflateRawSync(content);
    const name = Buffer.from(part.name);
    const fields = Buffer.alloc(22);
    fields.writeUInt16LE(part.flags ?? 0, 0);
    fields.writeUInt16LE(part.method ?? (part.stored === true ? 0 : 8), 2);
    fields.writeUInt16LE(0x21, 6);
    fields.writeUInt32LE(part.crc ?? crc32(content), 8);
    fields.writeUInt32LE(data.length, 12);
    fields.writeUInt32LE(part.size ?? content.length, 16);
    fields.writeUInt16LE(name.length, 20);
    const header = Buffer.concat([
      Buffer.from("PK\x03\x04\x14\x00", "latin1"),
      fields,
      Buffer.alloc(2),
      name,
    ]);
    const entry = Buffer.alloc(16);
    entry.writeUInt32LE(offset, 12);
    central.push(
      Buffer.concat([
        Buffer.from("PK\x01\x02\x14\x00\x14\x00", "latin1"),
        fields,
        Buffer.alloc(2),
        entry.subarray(2),
        name,
      ]),
    );
    local.push(header, data);
    offset += header.length + data.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22 + comment.length);
  end.write("PK\x05\x06", 0, "latin1");
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(comment.length, 20);
  end.write(comment, 22, "latin1");
  return new Uint8Array(Buffer.concat([...local, directory, end]));
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const RELATED = `xmlns="http://schemas.openxmlformats.org/package/2006/relationships"`;

export interface MadeSheet {
  readonly name: string;
  /** What stands in `sheetData`. */
  readonly data: string;
  readonly state?: "hidden" | "veryHidden";
  /** What comes after the cells, such as `mergeCells`. */
  readonly after?: string;
}

export interface MadeBook {
  readonly sheets: readonly MadeSheet[];
  /** `si` elements. */
  readonly texts?: string;
  /** `xf` elements of the styles of cells, after the first, which is General. */
  readonly styles?: string;
  readonly formats?: string;
  readonly is1904?: boolean;
  readonly more?: readonly MadePart[];
}

/** The parts of a workbook, from raw XML. */
export function partsOf({
  sheets,
  texts,
  styles = "",
  formats = "",
  is1904 = false,
  more = [],
}: MadeBook): MadePart[] {
  const listed = sheets
    .map(
      ({ name, state }, i) =>
        `<sheet name="${name}" sheetId="${i + 1}"${state ? ` state="${state}"` : ""} r:id="rId${i + 1}"/>`,
    )
    .join("");
  const related = sheets
    .map(
      (_, i) =>
        `<Relationship Id="rId${i + 1}" Type="${TYPES}/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`,
    )
    .join("");
  const overrides = sheets
    .map(
      (_, i) =>
        `<Override PartName="/xl/worksheets/sheet${i + 1}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`,
    )
    .join("");
  return [
    {
      name: "[Content_Types].xml",
      content: `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>${overrides}<Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>${texts === undefined ? "" : '<Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/>'}</Types>`,
    },
    {
      name: "_rels/.rels",
      content: `${XML}<Relationships ${RELATED}><Relationship Id="rId1" Type="${TYPES}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    },
    {
      name: "xl/workbook.xml",
      content: `${XML}<workbook ${MAIN} xmlns:r="${TYPES}"><workbookPr${is1904 ? ' date1904="1"' : ""}/><sheets>${listed}</sheets></workbook>`,
    },
    {
      name: "xl/_rels/workbook.xml.rels",
      content: `${XML}<Relationships ${RELATED}>${related}<Relationship Id="rId900" Type="${TYPES}/styles" Target="styles.xml"/>${texts === undefined ? "" : `<Relationship Id="rId901" Type="${TYPES}/sharedStrings" Target="/xl/sharedStrings.xml"/>`}</Relationships>`,
    },
    {
      name: "xl/styles.xml",
      content: `${XML}<styleSheet ${MAIN}><numFmts>${formats}</numFmts><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${styles}</cellXfs></styleSheet>`,
    },
    ...(texts === undefined
      ? []
      : [{ name: "xl/sharedStrings.xml", content: `${XML}<sst ${MAIN}>${texts}</sst>` }]),
    ...sheets.map(({ data, after = "" }, i) => ({
      name: `xl/worksheets/sheet${i + 1}.xml`,
      content: `${XML}<worksheet ${MAIN} xmlns:r="${TYPES}"><sheetData>${data}</sheetData>${after}</worksheet>`,
    })),
    ...more,
  ];
}

export const bookOf = (book: MadeBook): Uint8Array<ArrayBuffer> => zipOf(partsOf(book));

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Rows of text, as inline texts; an empty text is no cell. */
export function rowsOf(rows: readonly (readonly string[])[]): string {
  return rows
    .map((cells, row) => {
      const made = cells.map((text, column) =>
        text === ""
          ? ""
          : `<c r="${String.fromCharCode(65 + column)}${row + 1}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`,
      );
      return `<row r="${row + 1}">${made.join("")}</row>`;
    })
    .join("");
}
