import type { Diagnostic, PublishDiagnosticsParams } from "vscode-languageserver/node";
import type { Context } from "../../process/context.js";
import { sheetFault } from "../around/worlds.js";
import { configurationDiagnostics } from "./configuration.js";
import type { Desk } from "./desk.js";
import { shownDiagnostic, wholeFile } from "./messages.js";
import type { OpenFile } from "./open-file.js";

const QUIET_MS = 60;
const LONGEST_MS = 1_000;

export interface PublishingOptions {
  readonly context: Context;
  readonly desk: Desk;
  readonly send: (params: PublishDiagnosticsParams) => void;
  /** Called when the problems of a text that somebody changed are told. */
  readonly onTold: (file: OpenFile) => void;
  readonly onBug: (what: string, error: unknown) => void;
}

export type Publishing = ReturnType<typeof createPublishing>;

/** Tells the problems of each file when nobody has typed in it for a while: longer where they take longer to find. */
export function createPublishing({ context, desk, send, onTold, onBug }: PublishingOptions) {
  const timers = new Map<OpenFile, NodeJS.Timeout>();
  const lasted = new Map<string, number>();
  const tell = (file: OpenFile): void => {
    timers.delete(file);
    if (desk.find(file.uri) !== file) return;
    const began = performance.now();
    try {
      const diagnostics = [...diagnosticsOf(file, desk, context)];
      send({ uri: file.uri, version: file.version, diagnostics });
    } catch (error) {
      onBug("diagnostics", error);
    }
    lasted.set(file.uri, performance.now() - began);
    onTold(file);
  };
  return {
    plan: (file: OpenFile, soon: "now" | "soon"): void => {
      clearTimeout(timers.get(file));
      const wait = Math.min(LONGEST_MS, Math.max(QUIET_MS, lasted.get(file.uri) ?? 0));
      timers.set(file, setTimeout(tell, soon === "now" ? 0 : wait, file));
    },
    /** The problems of a closed file are taken back. */
    clear: (file: OpenFile): void => {
      clearTimeout(timers.get(file));
      timers.delete(file);
      lasted.delete(file.uri);
      send({ uri: file.uri, diagnostics: [] });
    },
    end: (): void => {
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}

function diagnosticsOf(file: OpenFile, desk: Desk, context: Context): readonly Diagnostic[] {
  if (file.kind === "configuration") return configurationDiagnostics(file, context);
  const view = desk.viewOf(file);
  if (view === null) return [];
  const found = view.diagnostics.map(shownDiagnostic);
  const fault = view.kind === "tests" ? sheetFault(file, view, desk.openAt) : null;
  return fault === null ? found : [wholeFile(fault), ...found];
}
