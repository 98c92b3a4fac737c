import { expect, test } from "vitest";
import { fileAccepted, toRejection, toRejectionOfRedrive } from "./listJobrejections.ts";

const rejection = toRejection({
  index: 1,
  line: 3,
  code: "VALIDATION_ERROR",
  message: '=SUM(A1) is "bad"',
  path: null,
  record: { a: 1 },
});

test("a file is given for its media type, JSON for all else", () => {
  expect(fileAccepted("text/csv; charset=utf-8, */*")?.mediaType).toBe("text/csv");
  expect(fileAccepted("application/json, Application/X-NDJSON")?.mediaType).toBe("application/x-ndjson");
  expect(fileAccepted("*/*")).toBeUndefined();
  expect(fileAccepted(undefined)).toBeUndefined();
});

test("cells are quoted, and none is a formula", () => {
  expect(fileAccepted("text/csv")?.line(rejection, false)).toBe(
    `"1","3","VALIDATION_ERROR","'=SUM(A1) is ""bad""","","{""a"":1}"\r\n`,
  );
});

test("a line of JSON lacks a path that there is not", () => {
  expect(JSON.parse(fileAccepted("application/x-ndjson")?.line(rejection, false) ?? "")).toEqual({
    index: 1,
    line: 3,
    code: "VALIDATION_ERROR",
    message: '=SUM(A1) is "bad"',
    record: { a: 1 },
  });
});

test("columns of a redrive name the letter, and have none where nothing was written", () => {
  const file = fileAccepted("text/csv");
  const deadLetter = {
    kind: 0,
    index: 4,
    code: "VALIDATION_ERROR",
    message: "no",
    path: "/a",
    recordId: "r:0:0",
    redriveOf: null,
  };
  const refused = toRejectionOfRedrive({ ...deadLetter, operation: "", payload: '{"a":1}' });
  expect(file?.head(false)).toBe("index,line,code,message,path,record\r\n");
  expect(file?.head(true)).toBe("index,line,code,message,path,record,deadLetter,redriveOf\r\n");
  expect(file?.line(refused, true)).toBe('"","","VALIDATION_ERROR","no","/a","{""a"":1}","r:0:0",""\r\n');
});
