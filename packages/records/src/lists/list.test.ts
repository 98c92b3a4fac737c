import { expect, test } from "vitest";
import { readListId } from "./list.ts";

test("an id is a whole number that the store can hold", () => {
  expect(readListId("1")).toBe(1);
  expect(readListId("2147483647")).toBe(2_147_483_647);
  for (const text of ["0", "01", "-1", "1.5", "2147483648", "99999999999", "vip", ""])
    expect(readListId(text)).toBeUndefined();
});
