import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { TextDocument } from "vscode-languageserver-textdocument";
import { type ServiceWorld, SheetDocument, type View } from "../../../compiler/service/document.js";
import { CONFIG_NAME } from "../../../runtime/config/folders.js";
import type { ContentChange, NewDocument } from "../wire/wanted.js";
import { offsetsOf } from "./places.js";

/** A file that is open in the editor. */
export class OpenFile {
  readonly uri: string;
  /** Null for a text that has no file yet. */
  readonly path: string | null;
  readonly kind: "table" | "configuration";
  readonly document: TextDocument;
  #sheet: SheetDocument | null = null;

  private constructor(given: NewDocument, path: string | null, kind: OpenFile["kind"]) {
    this.uri = given.uri;
    this.path = path;
    this.kind = kind;
    this.document = TextDocument.create(given.uri, given.languageId, given.version, given.text);
  }

  /** Null for a file that this server says nothing of. */
  static open(given: NewDocument): OpenFile | null {
    const path = pathOf(given.uri);
    const name = basename(path ?? given.uri);
    if (name === CONFIG_NAME) return new OpenFile(given, path, "configuration");
    const isTable = /\.csv$/i.test(name) || (path === null && /csv|flowsheet/i.test(given.languageId));
    return isTable ? new OpenFile(given, path, "table") : null;
  }

  get version(): number {
    return this.document.version;
  }

  /** Null for a configuration, and before it has a world. */
  get view(): View | null {
    return this.#sheet?.view() ?? null;
  }

  enter(shown: string, world: ServiceWorld): void {
    if (this.#sheet?.file === shown) this.#sheet.changeWorld(world);
    else this.#sheet = SheetDocument.open(shown, this.document.getText(), world);
  }

  /** Each change counts in the text that those before it have made. */
  change(changes: readonly ContentChange[], version: number): void {
    for (const change of changes) {
      const { range, text } = change;
      const whole = { start: 0, end: this.document.getText().length };
      const offsets = range === undefined ? whole : ordered(offsetsOf(this.document, range));
      TextDocument.update(this.document, [range === undefined ? { text } : { range, text }], version);
      this.#sheet?.edit([{ ...offsets, text }]);
    }
  }
}

const ordered = ({ start, end }: { start: number; end: number }): { start: number; end: number } =>
  start <= end ? { start, end } : { start: end, end: start };

/** Null for what is no file of this machine. */
export function pathOf(uri: string): string | null {
  try {
    return uri.startsWith("file:") ? fileURLToPath(uri) : null;
  } catch {
    return null;
  }
}
