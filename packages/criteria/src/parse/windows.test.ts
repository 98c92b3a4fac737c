import { expect, test } from "vitest";
import { errorsOf } from "./exampleAccount.ts";

test("points of a window in days and months are refused only where no month orders them so", () => {
  const span = (text: string) => ({ n: Number(text.split(" ")[0]), unit: text.split(" ")[1] });
  const refused = (older: string, newer: string) =>
    errorsOf({ event: "a", within: { between: [span(older), span(newer)] } }).length > 0;
  expect([refused("30 day", "1 month"), refused("1 month", "30 day")]).toEqual([false, false]);
  expect([refused("366 day", "1 year"), refused("1 year", "365 day"), refused("4 week", "1 month")]).toEqual(
    Array(3).fill(false),
  );
  expect([refused("27 day", "1 month"), refused("1 month", "40 day"), refused("300 day", "1 year")]).toEqual(
    Array(3).fill(true),
  );
  expect([refused("1 year", "12 month"), refused("12 month", "1 year"), refused("13 month", "1 year")]).toEqual([
    true,
    true,
    false,
  ]);
  expect([refused("1 month", "0 day"), refused("1 minute", "0 month"), refused("1 day", "24 hour")]).toEqual([
    false,
    false,
    true,
  ]);
});
