import { expect, test } from "vitest";
import { parseDateFormat } from "./dateFormat.ts";

test.each(["dd.mm.yyyy", "m/d/yy", "yyyymmdd", "hh:mm:ss dd/mm/yyyy"])("%j is a date format", (format) => {
  expect(parseDateFormat(format)?.parts).toEqual(expect.arrayContaining(["year", "month", "day"]));
});

test.each(["dd.mm", "mm.mm.yyyy", "dd.mmm.yyyy", "dd-month-yyyy", "", "hh dd.mm.yyyy", "d".repeat(40)])(
  "%j is not a date format",
  (format) => {
    expect(parseDateFormat(format)).toBeUndefined();
  },
);
