import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export function hasOffice(): boolean {
  try {
    execFileSync("soffice", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Everything is computed anew when a file is opened, in English. */
const SETTINGS = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="ODFRecalcMode" oor:op="fuse"><value>0</value></prop></item>
<item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>en-US</value></prop></item>
</oor:items>
`;

/** Files as LibreOffice saves them in another format, by one start of it. */
export function converted(
  files: ReadonlyMap<string, Uint8Array>,
  format: string,
): ReadonlyMap<string, Buffer> {
  const folder = mkdtempSync(join(tmpdir(), "flowsheet-office-"));
  try {
    const out = join(folder, "out");
    const profile = join(folder, "profile", "user");
    for (const one of [out, profile]) mkdirSync(one, { recursive: true });
    writeFileSync(join(profile, "registrymodifications.xcu"), SETTINGS);
    const paths = [...files].map(([name, bytes]) => {
      writeFileSync(join(folder, name), bytes);
      return join(folder, name);
    });
    execFileSync(
      "soffice",
      [
        `-env:UserInstallation=file://${join(folder, "profile")}`,
        ...["--headless", "--norestore", "--convert-to", format, "--outdir", out],
        ...paths,
      ],
      { stdio: "ignore", timeout: 500_000 },
    );
    const named = (name: string): string => `${name.replace(/\.\w+$/, "")}.${format}`;
    return new Map([...files.keys()].map((name) => [name, readFileSync(join(out, named(name)))]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What a cell shows to those who compute with it. */
export type OfficeValue = { readonly error: string } | { readonly value: string | number | boolean };

/** The values of the second column of a worksheet, by the number in the first; of a flat OpenDocument file. */
export function valuesIn(content: Buffer, worksheet: string): ReadonlyMap<number, OfficeValue> {
  const text = content.toString("utf8");
  const from = text.indexOf(`<table:table table:name="${worksheet}"`);
  const rows = text.slice(from, text.indexOf("</table:table>", from)).split("<table:table-row").slice(1);
  const found = new Map<number, OfficeValue>();
  for (const row of rows) {
    const [, key, cell] = row.split("<table:table-cell");
    const number = Number(/office:value="([^"]*)"/.exec(key ?? "")?.[1] ?? Number.NaN);
    if (cell !== undefined && Number.isInteger(number)) found.set(number, valueIn(cell));
  }
  return found;
}

function valueIn(cell: string): OfficeValue {
  const attribute = (name: string): string | undefined => new RegExp(` ${name}="([^"]*)"`).exec(cell)?.[1];
  const shown = unescaped(
    [...cell.matchAll(/<text:p>(.*?)<\/text:p>|<text:p\/>/gs)].map(([, inner = ""]) => inner).join("\n"),
  );
  if (attribute("calcext:value-type") === "error") return { error: shown };
  const type = attribute("office:value-type");
  if (type === "boolean") return { value: attribute("office:boolean-value") === "true" };
  if (type === "string") return { value: unescaped(attribute("office:string-value") ?? shown) };
  // Only a formula that gives empty text has no type.
  return { value: type === undefined ? shown : Number(attribute("office:value")) };
}

const unescaped = (text: string): string =>
  text
    .replace(/<text:s(?: text:c="(\d+)")?\/>/g, (_, count = "1") => " ".repeat(Number(count)))
    .replaceAll("<text:tab/>", "\t")
    .replaceAll("<text:line-break/>", "\n")
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'")
    .replace(/&#x([0-9a-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll("&amp;", "&");
