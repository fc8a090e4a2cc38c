/** The code of a system error, such as ENOENT; null for any other error. */
export function systemCode(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}

/** The result of a system call; null when the file or a folder above it does not exist. */
export const ifThere = <T>(call: Promise<T>): Promise<T | null> =>
  call.catch((error: unknown) => {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw error;
  });
