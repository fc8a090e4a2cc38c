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

export class WorkflowError extends FlowsheetError {
  declare readonly code: WorkflowErrorCode;
  readonly diagnostics: readonly Diagnostic[] = [];
  readonly text: string | null = null;
  readonly help: string | null = null;

  constructor(
    code: WorkflowErrorCode,
    message: string,
    more: Partial<Pick<WorkflowError, "diagnostics" | "text" | "help">> = {},
  ) {
    super(code, message);
    Object.assign(this, more);
  }
}
