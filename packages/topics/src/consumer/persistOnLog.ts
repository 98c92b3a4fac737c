import { LogMismatch } from "./logMark.ts";
import type { Patience } from "./patience.ts";

/** Persists as `patience.persist` does, but a log that is another one is no matter of patience. @throws LogMismatch. */
export async function persistOnLog<Result>(
  patience: Patience,
  attempt: () => Promise<Result>,
): Promise<Result | undefined> {
  const ended = await patience.persist(() =>
    attempt().then(
      (result) => ({ result }),
      (error: unknown) => {
        if (error instanceof LogMismatch) return error;
        throw error;
      },
    ),
  );
  if (ended instanceof LogMismatch) throw ended;
  return ended?.result;
}
