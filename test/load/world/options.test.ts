import { expect, test } from "vitest";
import { readOptions } from "./options.ts";

test("a baseline is compared with a run that has limits, not with one against another commit", () => {
  const file = "docs/performance/baseline.json";
  expect(readOptions(["--compare", file, "--path", "singles"])).toMatchObject({ compare: file, paths: ["singles"] });
  expect(() => readOptions(["--compare", file, "--against", "main"])).toThrow("name one of them");
});
