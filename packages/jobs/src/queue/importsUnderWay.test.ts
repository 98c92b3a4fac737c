import { expect, test } from "vitest";
import { hasRowsInLog } from "./importsUnderWay.ts";

const job = { name: "ImportContacts", input: {}, progress: { phase: "rows", written: 0 } };

test.each(["rows", "settle", "collect"])("an import in the phase %s may have rows in the log", (phase) => {
  expect(hasRowsInLog({ ...job, progress: { phase } })).toBe(true);
});

test.each([
  { what: "waits for its source", more: { progress: { phase: "reach", since: 1 } } },
  { what: "has not begun", more: { progress: undefined } },
  { what: "is a dry run", more: { input: { dryRun: true } } },
  { what: "is one of products", more: { name: "ImportProducts" } },
  { what: "is an export", more: { name: "ExportContacts" } },
])("a job that $what has none", ({ more }) => {
  expect(hasRowsInLog({ ...job, ...more })).toBe(false);
});
