import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js";
import { FlowsheetError } from "../graph/contract/errors.js";

export type WorkflowErrorCode =
  | "sheet_unreadable"
  | "folder_unreadable"
  /** The errors are in `diagnostics`. */
  | "workflow_invalid"
  | "graph_unknown"
  /** Several graphs exist, and the request named none. */
  | "graph_needed"
  | "module_missing"
  | "module_stale"
  /** A generated module or its cache cannot be read. */
  | "module_unreadable";

export interface WorkflowErrorOptions {
  readonly diagnostics?: readonly Diagnostic[];
  readonly text?: string | null;
  readonly help?: string | null;
}

export class WorkflowError extends FlowsheetError {
  declare readonly code: WorkflowErrorCode;
  readonly diagnostics: readonly Diagnostic[];
  readonly text: string | null;
  readonly help: string | null;

  constructor(code: WorkflowErrorCode, message: string, options: WorkflowErrorOptions = {}) {
    super(code, message);
    this.diagnostics = options.diagnostics ?? [];
    this.text = options.text ?? null;
    this.help = options.help ?? null;
  }
}
