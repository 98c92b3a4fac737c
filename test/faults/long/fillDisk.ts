import { open } from "node:fs/promises";

export const BALLAST_CHUNK = Buffer.alloc(64 * 1024);

/** Writes a file until nothing more fits. */
export async function fillDisk(file: string): Promise<void> {
  const handle = await open(file, "w");
  try {
    for (;;) await handle.write(BALLAST_CHUNK);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  } finally {
    await handle.close();
  }
}
