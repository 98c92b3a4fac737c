/** What one Vitest project, or all of them, came to. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export const nothing: Tally = { passed: 0, failed: 0, skipped: 0 };

export function addTallies(left: Tally, right: Tally): Tally {
  return {
    passed: left.passed + right.passed,
    failed: left.failed + right.failed,
    skipped: left.skipped + right.skipped,
  };
}

/**
 * The tally of a report of Vitest's JSON reporter. What failed without a test that could say so counts as one failure: a file
 * that cannot be loaded, a run that ends badly, a project in which nothing ran at all.
 */
export function tallyReport(report: unknown, exitCode: number): Tally {
  const passed = numberOf(report, "numPassedTests");
  const failedTests = numberOf(report, "numFailedTests");
  const skipped = numberOf(report, "numPendingTests") + numberOf(report, "numTodoTests");
  const failed = failedTests + filesFailedWhole(report);
  const isSilentFailure = failed === 0 && (exitCode !== 0 || passed === 0);
  return { passed, failed: isSilentFailure ? 1 : failed, skipped };
}

/** The last line of `npm test`: other tools read it. */
export function summaryLine({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

function filesFailedWhole(report: unknown): number {
  const files: unknown =
    typeof report === "object" && report !== null && "testResults" in report ? report.testResults : [];
  if (!Array.isArray(files)) return 0;
  return files.filter((file: unknown) => {
    if (typeof file !== "object" || file === null || !("status" in file) || file.status !== "failed") return false;
    const tests: unknown = "assertionResults" in file ? file.assertionResults : [];
    return !(Array.isArray(tests) && tests.some(isFailed));
  }).length;
}

function isFailed(result: unknown): boolean {
  return typeof result === "object" && result !== null && "status" in result && result.status === "failed";
}

function numberOf(report: unknown, name: string): number {
  if (typeof report !== "object" || report === null) return 0;
  const value: unknown = Object.entries(report).find(([key]) => key === name)?.[1];
  return typeof value === "number" ? value : 0;
}
