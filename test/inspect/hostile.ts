import type { GraphIR } from "../../compiler/ir.js";
import { sketch } from "./graphs.js";

const ESC = "\u001b";

/** Names that try to mean something where they are shown, by their case in the list of hostile inputs. */
export const hostileNames: readonly (readonly [string, string])[] = [
  ["C01", "*/ globalThis.PWN=1; /*"],
  ["C02", "*/ interface Z {} globalThis.PWN=1; /**"],
  ["C03", "`;globalThis.PWN=1;`"],
  ["C04", "${" + "globalThis.PWN=1}"],
  ["C05", '"; globalThis.PWN=1; "'],
  ["C06", "'; globalThis.PWN=1; '"],
  ["C07", '\\"; globalThis.PWN=1 //'],
  ["C08", "\\`${" + "1}\\`"],
  ["C09", "a\nglobalThis.PWN=1"],
  ["C10", "a\rglobalThis.PWN=1"],
  ["C11", "a\r\nglobalThis.PWN=1"],
  ["C12", "a\u2028globalThis.PWN=1"],
  ["C13", "a\u2029globalThis.PWN=1"],
  ["C14", "a\u0085globalThis.PWN=1"],
  ["C15", "a\ud800b"],
  ["C16", "a\udc00b"],
  ["C17", "a\udc00\ud800b"],
  ["C18", "a\u0000b"],
  ["C19", "a\ufeffb"],
  ["C20", "a\u202eb"],
  ["C21", "a\u200bb"],
  ["C23", "// @ts-nocheck"],
  ["C24", '/// <reference path="/etc/passwd"/>'],
  ["C25", "//# sourceMappingURL=http://169.254.169.254/"],
  ["C26", "#!/usr/bin/env x"],
  ["C27", "'use strict'"],
  ["C28", "{{constructor.constructor}}"],
  ["C29", "{{{this}}}"],
  ["C30", "{{> x}}{{*d}}"],
  ["V41 clear screen", `${ESC}[2J${ESC}[31mred`],
  ["V41 link", `${ESC}]8;;http://example.com${ESC}\\here${ESC}]8;;${ESC}\\`],
  ["V41 eight bit", "\u009b2Jx\u009d0;title\u009c"],
  ["I09 image", "<img src=x onerror=alert(1)>"],
  ["I09 script", "</title></style><script>alert(1)</script>"],
  ["I09 entity", "&lt;b&gt; &#60;i&#62; #60;u#62; &amp;"],
  ["I09 cdata", "]]><![CDATA[x]]><!-- y -->"],
  ["I09 handler", '" onload="alert(1)" x=\''],
  ["Mermaid", 'x"] --> n1; click n0 call alert(1); style n0 fill:#f00; %%{init: {"theme":"dark"}}%%'],
  ["Mermaid markdown", "`**bold** _under_ 1. one"],
  ["Graphviz", 'x"]; node [URL="javascript:alert(1)"]; "\\N \\G \\'],
  ["XML", "a\ufffeb\uffffc"],
  ["long", "W".repeat(128)],
  ["wide", "報告書を作成して担当者に送る".repeat(4)],
  ["emoji", "👩‍👩‍👧‍👦 🚀 launch 🇨🇭"],
  ["right to left", "שלום עולם مرحبا بالعالم"],
  ["marks", "e\u0301".repeat(20)],
  ["very wide letters", "\u{1242b}\ufdfd\u{12031}"],
];

/** A graph in which a text stands wherever a sheet puts text. */
export function graphOf(text: string): GraphIR {
  return sketch(
    [
      {
        name: text,
        next: "b",
        agent: text,
        custom: true,
        description: text,
        prompt: text,
        reads: [text],
        writes: ["out"],
      },
      {
        name: "b",
        agent: "switch",
        next: `${text}2|END`,
        cases: { [text]: `${text}2` },
        otherwise: text,
        limit: [2, text],
      },
      {
        name: `${text}2`,
        success: "b",
        failure: `${text}2`,
        reads: ["out"],
        rest: { settings: { [text]: text }, promptFrom: `file:${text}` },
      },
    ],
    { name: text, file: text, types: { out: { kind: "choice", values: [text] } } },
  );
}
