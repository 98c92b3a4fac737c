import { expect, test } from "vitest";
import { fileAccepted, rejectionFiles } from "./rejectionFiles.ts";

const rejection = {
  index: 1,
  line: 3,
  code: "VALIDATION_ERROR",
  message: '=SUM(A1) is "bad"',
  path: null,
  record: { a: 1 },
};

test("a file is given for its media type, JSON for all else", () => {
  expect(fileAccepted("text/csv; charset=utf-8, */*")).toBe("text/csv");
  expect(fileAccepted("application/json, Application/X-NDJSON")).toBe("application/x-ndjson");
  expect(fileAccepted("*/*")).toBeUndefined();
  expect(fileAccepted(undefined)).toBeUndefined();
});

test("cells are quoted, and none is a formula", () => {
  expect(rejectionFiles["text/csv"].line(rejection)).toBe(
    `"1","3","VALIDATION_ERROR","'=SUM(A1) is ""bad""","","{""a"":1}"\r\n`,
  );
});

test("a line of JSON lacks a path that there is not", () => {
  expect(JSON.parse(rejectionFiles["application/x-ndjson"].line(rejection))).toEqual({
    index: 1,
    line: 3,
    code: "VALIDATION_ERROR",
    message: '=SUM(A1) is "bad"',
    record: { a: 1 },
  });
});
