import { expect, test } from "vitest";
import { isHealthy } from "./parts.ts";
import { toGroupStatus, toLags } from "./streams.ts";

const watermarks = new Map([
  [
    "intake.records",
    [
      { partition: 1, low: 5, high: 9 },
      { partition: 0, low: 0, high: 10 },
    ],
  ],
]);
const offsets = [{ group: "state", topic: "intake.records", partition: 0, nextOffset: 7, heldWhy: null }];

test("lag is counted from the stored offset, or from the first kept record where none is stored", () => {
  const lags = toLags({ offsets, watermarks }).filter(({ group }) => group === "state");
  expect(lags).toEqual([
    { group: "state", topic: "intake.records", partition: 0, nextOffset: 7, end: 10, lag: 3, held: null },
    { group: "state", topic: "intake.records", partition: 1, nextOffset: null, end: 9, lag: 4, held: null },
  ]);
});

test("a group is ok when it has read all, behind otherwise", () => {
  const [state, activities] = toGroupStatus(toLags({ offsets, watermarks }));
  expect(state).toMatchObject({ part: "state <- intake.records", state: "behind", lag: 7 });
  expect(activities).toMatchObject({ part: "activities <- intake.records", lag: 14 });
});

test("a held partition is named with its reason, and the group is not healthy", () => {
  const held = offsets.map((row) => ({ ...row, heldWhy: "the log was cut" }));
  const [state] = toGroupStatus(toLags({ offsets: held, watermarks }));
  expect(state).toMatchObject({ state: "held", detail: "held at 0: the log was cut (headwater topics adopt)" });
  expect(state && isHealthy(state)).toBe(false);
});
