import { relative } from "node:path";
import { z } from "zod";
import { noProgress, type Progress } from "./progress.ts";

/** A test that failed, or what failed without one. */
export interface Failed {
  /** Its file and its name, on one line. */
  readonly title: string;
  readonly reason: string;
}

/** Time that a suite took by the clock, with the start of its processes. */
export interface Duration {
  readonly suite: string;
  readonly durationMs: number;
}

/** Result of one suite, or of all; `failures` name what failed, in which file, and why. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failures: readonly Failed[];
  readonly durations: readonly Duration[];
}

export const nothing: Tally = { passed: 0, failed: 0, skipped: 0, failures: [], durations: [] };

/** A longer reason is cut: the whole of it stands where the test ran. */
const MAX_REASON_CHARS = 4000;

export function addTallies(left: Tally, right: Tally): Tally {
  return {
    passed: left.passed + right.passed,
    failed: left.failed + right.failed,
    skipped: left.skipped + right.skipped,
    failures: [...left.failures, ...right.failures],
    durations: [...left.durations, ...right.durations],
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
 * The tally of a report of Vitest's JSON reporter; of the progress where the run broke off before it wrote one. What failed without a test that could say so counts as one failure: a file
 * that cannot be loaded, a run that ends badly, a project in which nothing ran at all, a report that is none.
 */
export function tallyReport(project: string, report: unknown, exitCode: number, progress = noProgress): Tally {
  const read = reportSchema.safeParse(report);
  if (!read.success) return failedWhole(project, tallyProgress(progress), { exitCode, progress });
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = read.data;
  const wholeFiles = testResults.filter((file) => file.status === "failed" && !file.assertionResults.some(isFailed));
  const tally = {
    ...nothing,
    passed: numPassedTests,
    failed: numFailedTests + wholeFiles.length,
    skipped: numPendingTests + numTodoTests,
    failures: [
      ...testResults.flatMap((file) =>
        file.assertionResults.filter(isFailed).map((test) => failureOfTest(file.name, test)),
      ),
      ...wholeFiles.map((file) => failure(file.name, "could not be run", file.message)),
    ],
  };
  const isSilentFailure = tally.failed === 0 && (exitCode !== 0 || tally.passed === 0);
  return isSilentFailure ? failedWhole(project, tally, { exitCode, progress }) : tally;
}

/**
 * Returns the last lines of `npm test`: how long each suite took, the longest first, why each test failed, then the names of all that failed
 * together, then the counts, which other tools read.
 */
export function closingLines(tally: Tally): string {
  const durations = tally.durations.toSorted((left, right) => right.durationMs - left.durationMs).map(durationLine);
  const reasons = tally.failures.map(({ title, reason }) => `\nfailed: ${title}\n${reason}\n`);
  const titles = tally.failures.map(({ title }) => `failed: ${title}\n`);
  const list = titles.length === 0 ? "" : `\n${titles.join("")}`;
  return `${durations.join("")}${reasons.join("")}${list}${summaryLine(tally)}\n`;
}

function durationLine({ suite, durationMs }: Duration): string {
  const seconds = Math.round(durationMs / 1000);
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return `${clock.padStart(6)} min  ${suite}\n`;
}

function summaryLine({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

function tallyProgress({ passed, failed }: Progress): Tally {
  const failures = failed.map(({ file, name, reason }) => failure(file, name, reason));
  return { ...nothing, passed, failed: failed.length, failures };
}

/** A run that ended badly: with what it was at, and the errors that belong to no test. */
function failedWhole(
  project: string,
  tally: Tally,
  { exitCode, progress }: { readonly exitCode: number; readonly progress: Progress },
): Tally {
  const reason = [`it ended with exit code ${exitCode} after ${tally.passed} passed tests`, ...progress.errors];
  const failures = [
    ...tally.failures,
    ...progress.broken.map(({ file, name, reason: why }) => failure(file, name, why)),
    failure(`suite ${project}`, "ended badly", reason.join("\n")),
  ];
  return { ...tally, failed: failures.length, failures };
}

function failureOfTest(file: string, test: z.infer<typeof testSchema>): Failed {
  return failure(file, test.fullName, (test.failureMessages ?? []).join("\n"));
}

function failure(where: string, what: string, reason: string): Failed {
  const position = where.startsWith("/") ? relative(process.cwd(), where) : where;
  return { title: `${position}: ${what}`.replaceAll("\n", " "), reason: reason.slice(0, MAX_REASON_CHARS) };
}

function isFailed({ status }: { readonly status: string }): boolean {
  return status === "failed";
}
