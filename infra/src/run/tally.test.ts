import { expect, test } from "vitest";
import { addTallies, nothing, summaryLine, tallyReport } from "./tally.ts";

const report = (counts: object) => ({
  numPassedTests: 0,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  ...counts,
});

test("the last line counts what passed and failed, and what was skipped only when something was", () => {
  const unit = tallyReport("unit", report({ numPassedTests: 3 }), 0);
  const contract = tallyReport("unit", report({ numPassedTests: 2, numFailedTests: 1 }), 1);
  expect(summaryLine(addTallies(unit, contract))).toBe("5 passed, 1 failed");
  expect(summaryLine(tallyReport("unit", report({ numPassedTests: 1, numPendingTests: 2 }), 0))).toBe(
    "1 passed, 0 failed, 2 skipped",
  );
  expect(summaryLine(nothing)).toBe("0 passed, 0 failed");
});

test.each([
  [
    "a file that cannot be loaded",
    report({ numPassedTests: 1, testResults: [{ status: "failed", assertionResults: [] }] }),
    1,
  ],
  ["a run that ends badly after its tests", report({ numPassedTests: 1 }), 1],
  ["a project in which nothing ran", report({}), 0],
  ["a run without a report", undefined, 1],
])("%s is one failure", (_what, found, exitCode) => {
  expect(tallyReport("unit", found, exitCode).failed).toBe(1);
});

test("a failed test is not counted again as a failed file", () => {
  const file = { status: "failed", assertionResults: [{ status: "passed" }, { status: "failed" }] };
  expect(tallyReport("unit", report({ numPassedTests: 1, numFailedTests: 1, testResults: [file] }), 1).failed).toBe(1);
});

test("what failed is told with its file and its reason, and a file that was not loaded as well", () => {
  const test = { status: "failed", fullName: "a door shuts", failureMessages: ["expected open to be shut"] };
  const files = [
    { name: "doors.test.ts", status: "failed", assertionResults: [{ status: "passed" }, test] },
    { name: "windows.test.ts", status: "failed", message: "no such module", assertionResults: [] },
  ];
  expect(tallyReport("unit", report({ numFailedTests: 1, testResults: files }), 1).failures).toEqual([
    "failed: doors.test.ts: a door shuts\nexpected open to be shut\n",
    "failed: windows.test.ts: could not be run\nno such module\n",
  ]);
});
