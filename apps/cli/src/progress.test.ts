import { expect, test } from "vitest";
import { barOf, createProgressView } from "./progress.ts";

const ERASE = "\r\u001b[K";

function screenOf(isTTY: boolean) {
  let text = "";
  const write = (more: string) => {
    text += more;
  };
  return { isTTY, columns: 60, write, text: () => text };
}

test("a terminal gets one bar that is drawn over itself", () => {
  const screen = screenOf(true);
  const view = createProgressView(screen, { TERM: "xterm" });
  const half = barOf({ label: "Processing", done: 1, total: 2 }, 60);
  view.show({ label: "Pending", done: 0, total: 0 });
  view.show({ label: "Processing", done: 1, total: 2 });
  view.clear();
  view.show({ label: "Processing", done: 1, total: 2 });
  view.end();
  expect(half).toBe("Processing [############------------]  50 %  1 of 2");
  expect(screen.text()).toBe(`Pending${ERASE}${half}${ERASE}${half}\n`);
});

test.each([
  ["a pipe", screenOf(false), "xterm"],
  ["a terminal that cannot move its cursor", screenOf(true), "dumb"],
])("%s gets plain lines, and only those that say something new", (_, screen, TERM) => {
  const view = createProgressView(screen, { TERM });
  const steps = [
    ["Pending", 0, 0],
    ["Pending", 0, 0],
    ["Processing", 1, 3],
    ["Processing", 2, 3],
    ["Processing", 3, 3],
    ["Done", 3, 3],
  ] as const;
  for (const [label, done, total] of steps) view.show({ label, done, total });
  view.end();
  expect(screen.text()).toBe("Pending\nProcessing: 1 of 3\nProcessing: 3 of 3\nDone: 3 of 3\n");
});

test("a terminal that does not tell its width gets a whole bar", () => {
  const screen = { ...screenOf(true), columns: 0 };
  createProgressView(screen, {}).show({ label: "Done", done: 3, total: 3 });
  expect(screen.text()).toBe("Done [########################] 100 %  3 of 3");
});

test("a bar is shorter than the terminal is wide, whatever the numbers", () => {
  for (const columns of [10, 40, 200]) {
    for (const [done, total] of [
      [0, 0],
      [7, 3],
      [-1, 3],
      [123_456_789, 987_654_321],
    ] as const) {
      expect(barOf({ label: "Processing", done, total }, columns).length).toBeLessThan(columns);
    }
  }
});
