import { expect, test } from "vitest";
import { createProgress } from "./progress.ts";

function written(isTTY: boolean): string {
  let text = "";
  const write = (more: string) => {
    text += more;
  };
  const progress = createProgress({ isTTY, columns: 100, write });
  for (let done = 0; done <= 1_000; done += 10) progress.show("applied", done, 1_000);
  progress.end();
  return text;
}

test("elsewhere than on a terminal there is a plain line for every fifth", () => {
  expect(written(false).split("\n")).toEqual([
    "applied: 0 of 1,000 records (0%)",
    "applied: 200 of 1,000 records (20%)",
    "applied: 400 of 1,000 records (40%)",
    "applied: 600 of 1,000 records (60%)",
    "applied: 800 of 1,000 records (80%)",
    "applied: 1,000 of 1,000 records (100%)",
    "",
  ]);
});

test("a bar fills up on one line of a terminal", () => {
  const text = written(true);
  expect(text.split("\n")).toHaveLength(2);
  expect(text).toMatch(/█{30} 100% {2}1,000 of 1,000 records\n$/);
});
