import { expect, test } from "vitest";
import { atPath } from "./atPath.ts";

test("a message stands behind its path once", () => {
  expect(atPath("contacts/0", "The value is too long.")).toBe("contacts/0: The value is too long.");
  expect(atPath("contacts", "`contacts` is required.")).toBe("`contacts` is required.");
  expect(atPath("", "The value must be an object.")).toBe("The value must be an object.");
});
