import { systemCode } from "../../compiler/files/system-code.js";
import { AgentError } from "../graph/contract/errors.js";

/** Messages name the file as the sheet does, never its absolute path. */
export function failure(file: string, why: string): AgentError {
  return new AgentError("agent_failed", `${file}: ${why}`);
}

export const NO_FILE = "there is no such file in the data folder";

const REASONS: { readonly [code: string]: string } = {
  ENOENT: NO_FILE,
  ENOTDIR: "a part of its path is no folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EISDIR: "it is a folder",
  EEXIST: "another file is in the way",
  ELOOP: "it was replaced by a link while it was being opened",
  ENAMETOOLONG: "its name is too long",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  ENXIO: "it is no regular file",
  ENOTSUP: "no folder can be made there",
  ENOSPC: "there is no space left on the disk",
  EDQUOT: "there is no space left for this user",
  EFBIG: "it would be larger than the system allows",
  EROFS: "the disk can only be read",
  EIO: "the disk has a fault",
};

/** System errors become messages without absolute paths. */
export async function told<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = systemCode(error);
    if (error instanceof AgentError || code === null || !/^E[A-Z0-9]+$/.test(code)) throw error;
    throw failure(file, REASONS[code] ?? `the system refused it (${code})`);
  }
}
