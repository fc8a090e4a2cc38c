import { NewFileError, type NewFiles, writeNewFiles } from "../../compiler/scaffold/index.js";
import { nameFrom } from "../../runtime/workflows/find-sheets.js";
import { reasonOf } from "../../runtime/workflows/open-sheet.js";
import { UsageError } from "../failure.js";
import type { Context } from "../process/context.js";

/** Refusals of the system are usage errors: the user can fix them. */
export function writeOrRefuse(files: NewFiles, context: Context): void {
  try {
    writeNewFiles(files);
  } catch (error) {
    if (error instanceof NewFileError)
      throw new UsageError(`cannot write ${nameFrom(context.cwd, error.path)}: ${error.why}`);
    throw new UsageError(`cannot write the files: ${reasonOf(error).why}`);
  }
}
