import { systemCode } from "../../../compiler/files/system-code.js";
import { FlowsheetError } from "../../../runtime/graph/contract/errors.js";

/** What the system or the project refuses is no bug of ours. */
export const isOutside = (error: unknown): error is Error =>
  error instanceof FlowsheetError || systemCode(error) !== null;
