import { expect, test } from "vitest";
import { readProgress } from "./progress.ts";
import { addTallies, closingLines, nothing, tallyReport } from "./tally.ts";

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
  expect(closingLines(addTallies(unit, contract))).toMatch(/^5 passed, 1 failed\n$/m);
  expect(closingLines(tallyReport("unit", report({ numPassedTests: 1, numPendingTests: 2 }), 0))).toBe(
    "1 passed, 0 failed, 2 skipped\n",
  );
  expect(closingLines(nothing)).toBe("0 passed, 0 failed\n");
});

test("the closing lines say how long each suite took, the longest first", () => {
  const took = (suite: string, durationMs: number) => ({ ...nothing, durations: [{ suite, durationMs }] });
  expect(closingLines(addTallies(took("unit", 59_600), took("contract", 725_000)))).toBe(
    " 12:05 min  contract\n  1:00 min  unit\n0 passed, 0 failed\n",
  );
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

test("what failed is shown with its file and its reason, and a file that was not loaded as well", () => {
  const test = { status: "failed", fullName: "a door shuts", failureMessages: ["expected open to be shut"] };
  const files = [
    { name: "doors.test.ts", status: "failed", assertionResults: [{ status: "passed" }, test] },
    { name: "windows.test.ts", status: "failed", message: "no such module", assertionResults: [] },
  ];
  expect(tallyReport("unit", report({ numFailedTests: 1, testResults: files }), 1).failures).toEqual([
    { title: "doors.test.ts: a door shuts", reason: "expected open to be shut" },
    { title: "windows.test.ts: could not be run", reason: "no such module" },
  ]);
});

test("the names of all that failed stand together at the end, however much was printed before", () => {
  const noisy = (fullName: string) => ({ status: "failed", fullName, failureMessages: ["noise\n".repeat(2_000)] });
  const file = {
    name: "doors.test.ts",
    status: "failed",
    assertionResults: [noisy("a door shuts"), noisy("a lock\nlocks")],
  };
  const tally = tallyReport("unit", report({ numPassedTests: 7, numFailedTests: 2, testResults: [file] }), 1);
  expect(closingLines(tally).trimEnd().split("\n").slice(-3)).toEqual([
    "failed: doors.test.ts: a door shuts",
    "failed: doors.test.ts: a lock locks",
    "7 passed, 2 failed",
  ]);
});

const line = (kind: string, id: string, more: object = {}) =>
  `${JSON.stringify({ kind, id, file: "doors.test.ts", name: `door ${id}`, ...more })}\n`;
const passes = (id: string) => line("begins", id) + line("ends", id, { isFailed: false, reason: "" });
const fails = (id: string) => line("begins", id) + line("ends", id, { isFailed: true, reason: "it is open" });

test("a run that was killed is known by its progress: what had failed, and what was running", () => {
  const killed = readProgress(`${passes("1")}${fails("2")}${line("begins", "3")}{"kind":"en`);
  const { passed, failed, failures } = tallyReport("unit", undefined, 137, killed);
  expect([passed, failed]).toEqual([1, 3]);
  expect(failures).toEqual([
    { title: "doors.test.ts: door 2", reason: "it is open" },
    { title: "doors.test.ts: door 3", reason: "it was running when the suite ended" },
    { title: "suite unit: ended badly", reason: "it ended with exit code 137 after 1 passed tests" },
  ]);
});

test("an error outside of every test is the reason of the suite that it ended", () => {
  const progress = readProgress(`${passes("1")}${JSON.stringify({ kind: "error", reason: "socket hang up" })}\n`);
  const { failures } = tallyReport("unit", report({ numPassedTests: 1 }), 1, progress);
  expect(failures).toEqual([{ title: "suite unit: ended badly", reason: expect.stringContaining("socket hang up") }]);
});

test("a test that failed and passed when it was tried again has passed", () => {
  expect(readProgress(fails("1") + passes("1"))).toMatchObject({ passed: 1, failed: [] });
});
