import { expect, test } from "vitest";
import { readRange } from "./routes/getFile.ts";

test.each([
  ["bytes=0-4", { start: 0, end: 4 }],
  ["bytes=5-", { start: 5, end: 9 }],
  ["bytes=-3", { start: 7, end: 9 }],
  ["bytes=-30", { start: 0, end: 9 }],
  ["bytes=8-100", { start: 8, end: 9 }],
  ["bytes=10-", "unsatisfiable"],
  ["bytes=-0", "unsatisfiable"],
  ["bytes=4-2", "whole"],
  ["bytes=0-1,3-4", "whole"],
  ["items=0-1", "whole"],
  ["bytes=-", "whole"],
  [undefined, "whole"],
])("the range %s of ten bytes is %o", (header, range) => {
  expect(readRange(header, 10)).toEqual(range);
});
