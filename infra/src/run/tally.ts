import { relative } from "node:path";
import { z } from "zod";

/** What one Vitest project, or all of them, came to; `failures` tell what failed, in which file, and why. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failures: readonly string[];
}

export const nothing: Tally = { passed: 0, failed: 0, skipped: 0, failures: [] };

/** A longer reason is cut: the whole of it stands where the test ran. */
const MAX_REASON_CHARS = 4000;

export function addTallies(left: Tally, right: Tally): Tally {
  return {
    passed: left.passed + right.passed,
    failed: left.failed + right.failed,
    skipped: left.skipped + right.skipped,
    failures: [...left.failures, ...right.failures],
  };
}

const testSchema = z.object({
  status: z.string(),
  fullName: z.string().default(""),
  failureMessages: z.array(z.string()).nullish(),
});
const fileSchema = z.object({
  name: z.string().default(""),
  status: z.string(),
  message: z.string().default(""),
  assertionResults: z.array(testSchema).default([]),
});
const reportSchema = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(fileSchema).default([]),
});

/**
 * The tally of a report of Vitest's JSON reporter. What failed without a test that could say so counts as one failure: a file
 * that cannot be loaded, a run that ends badly, a project in which nothing ran at all, a report that is none.
 */
export function tallyReport(project: string, report: unknown, exitCode: number): Tally {
  const read = reportSchema.safeParse(report);
  if (!read.success) return failedWhole(project, nothing, exitCode);
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = read.data;
  const wholeFiles = testResults.filter((file) => file.status === "failed" && !file.assertionResults.some(isFailed));
  const tally = {
    passed: numPassedTests,
    failed: numFailedTests + wholeFiles.length,
    skipped: numPendingTests + numTodoTests,
    failures: [
      ...testResults.flatMap((file) => file.assertionResults.filter(isFailed).map((test) => tellTest(file.name, test))),
      ...wholeFiles.map((file) => tell(file.name, "could not be run", file.message)),
    ],
  };
  const isSilentFailure = tally.failed === 0 && (exitCode !== 0 || tally.passed === 0);
  return isSilentFailure ? failedWhole(project, tally, exitCode) : tally;
}

/** The last line of `npm test`: other tools read it. */
export function summaryLine({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

function failedWhole(project: string, tally: Tally, exitCode: number): Tally {
  const reason = `it ended with exit code ${exitCode} after ${tally.passed} passed tests`;
  return { ...tally, failed: 1, failures: [tell(`suite ${project}`, "ended badly", reason)] };
}

function tellTest(file: string, test: z.infer<typeof testSchema>): string {
  return tell(file, test.fullName, (test.failureMessages ?? []).join("\n"));
}

function tell(where: string, what: string, reason: string): string {
  const place = where.startsWith("/") ? relative(process.cwd(), where) : where;
  return `failed: ${place}: ${what}\n${reason.slice(0, MAX_REASON_CHARS)}\n`;
}

function isFailed({ status }: { readonly status: string }): boolean {
  return status === "failed";
}
