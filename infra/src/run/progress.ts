import { z } from "zod";

const test = { id: z.string(), file: z.string(), name: z.string() };
const lineSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("begins"), ...test }),
  z.object({ kind: z.literal("ends"), ...test, isFailed: z.boolean(), reason: z.string() }),
  /** An error outside of every test. */
  z.object({ kind: z.literal("error"), reason: z.string() }),
]);
export type ProgressLine = z.infer<typeof lineSchema>;

interface NamedTest {
  readonly file: string;
  readonly name: string;
  readonly reason: string;
}

/** State of a run by the lines that `progressReporter` wrote, however it ended. */
export interface Progress {
  readonly passed: number;
  readonly failed: readonly NamedTest[];
  /** Tests that began and did not end. */
  readonly broken: readonly NamedTest[];
  readonly errors: readonly string[];
}

export const noProgress: Progress = { passed: 0, failed: [], broken: [], errors: [] };

/** Reads the lines of a run; the last may be half a line, when the run was killed while it wrote. */
export function readProgress(text: string): Progress {
  const running = new Map<string, NamedTest>();
  const failed = new Map<string, NamedTest>();
  const passed = new Set<string>();
  const errors: string[] = [];
  for (const line of text.split("\n").slice(0, -1)) {
    const read = lineSchema.parse(JSON.parse(line));
    if (read.kind === "error") errors.push(read.reason);
    else if (read.kind === "begins") running.set(read.id, { ...read, reason: "it was running when the suite ended" });
    else {
      running.delete(read.id);
      failed.delete(read.id);
      if (read.isFailed) failed.set(read.id, read);
      else passed.add(read.id);
    }
  }
  return { passed: passed.size, failed: [...failed.values()], broken: [...running.values()], errors };
}
