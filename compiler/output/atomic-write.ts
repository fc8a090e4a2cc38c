/**
 * Replaces a file's content at once: a reader sees the old file or the new one, never half of it. The file's
 * mode is kept, and a link is followed, not replaced.
 */
export async function writeAtomically(path: string, content: Uint8Array): Promise<void> {
  const { default: writeFileAtomic } = await import("write-file-atomic");
  await writeFileAtomic(path, Buffer.from(content.buffer, content.byteOffset, content.byteLength));
}
