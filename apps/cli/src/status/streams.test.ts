import { expect, test } from "vitest";
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
const offsets = [{ group: "state", topic: "intake.records", partition: 0, nextOffset: 7 }];

test("lag is counted from the stored offset, or from the first kept record where none is stored", () => {
  const lags = toLags({ offsets, watermarks }).filter(({ group }) => group === "state");
  expect(lags).toEqual([
    { group: "state", topic: "intake.records", partition: 0, nextOffset: 7, end: 10, lag: 3 },
    { group: "state", topic: "intake.records", partition: 1, nextOffset: null, end: 9, lag: 4 },
  ]);
});

test("a group is ok when it has read all, behind otherwise", () => {
  const [state, activities] = toGroupStatus(toLags({ offsets, watermarks }));
  expect(state).toMatchObject({ part: "state <- intake.records", state: "behind", lag: 7 });
  expect(activities).toMatchObject({ part: "activities <- intake.records", lag: 14 });
});
