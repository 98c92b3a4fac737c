import { expect, test } from "vitest";
import { isHealthy } from "./parts.ts";
import { type GroupLag, toGroupStatus } from "./streams.ts";

const lag = (partition: number, records: number, seconds: number, held: string | null = null): GroupLag => {
  return { group: "state", topic: "intake.records", partition, nextOffset: 7, records, seconds, held };
};
const moving = () => true;
const isNeverStuck = () => false;

test("a group is ok when it has read all, behind while it moves, and stuck when it is late and does not", () => {
  expect(toGroupStatus([lag(0, 0, 0), lag(1, 0, 0)], isNeverStuck)).toMatchObject([{ state: "ok" }]);
  const late = [lag(0, 3, 1), lag(1, 40, 90)];
  expect(toGroupStatus(late, moving)).toMatchObject([{ state: "behind", records: 43, seconds: 90 }]);
  const [stuck] = toGroupStatus(late, isNeverStuck);
  expect(stuck).toMatchObject({ state: "stuck", detail: "43 records and 90 s behind; partitions 1 do not move" });
  expect(stuck && isHealthy(stuck)).toBe(false);
  expect(toGroupStatus([lag(0, 3, 1)], isNeverStuck)).toMatchObject([{ state: "behind" }]);
});

test("a held partition is named with its reason, and the group is not healthy", () => {
  const [state] = toGroupStatus([lag(0, 0, 0, "the log was cut"), lag(1, 0, 0)], moving);
  expect(state).toMatchObject({ state: "held", detail: "held at 0: the log was cut (headwater topics adopt)" });
  expect(state && isHealthy(state)).toBe(false);
});
