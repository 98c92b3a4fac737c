/** Waits for writes that went out together. @throws the first error, when all have ended. */
export async function allOf(writes: readonly Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(writes)) if (result.status === "rejected") throw result.reason;
}
