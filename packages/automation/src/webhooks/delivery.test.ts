import { expect, test } from "vitest";
import { bodyOf, type CallOutcome, endOf } from "./delivery.ts";

const failed: CallOutcome = { at: 1_000, status: 500, ms: 20, isDelivered: false, isGone: false };

test("a delivery is tried at once, then after 5 s, 5 min, 30 min, 2, 5, 10 and 10 h, and then has failed", () => {
  let tries = "[]";
  const pauses = Array.from({ length: 8 }, (_, attempts) => {
    const end = endOf({ attempts, tries }, failed);
    tries = end.tries;
    return end.nextAt === null ? end.state : (end.nextAt - 1_020) / 1_000;
  });
  expect(pauses).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 36_000, "failed"]);
  expect(JSON.parse(tries)).toHaveLength(8);
});

test("Retry-After makes the next try later, by an hour at most, and never earlier", () => {
  const nextAfter = (attempts: number, retryAfterMs: number) => {
    const { nextAt } = endOf({ attempts, tries: "[]" }, { ...failed, retryAfterMs });
    return ((nextAt ?? 0) - 1_020) / 1_000;
  };
  expect([nextAfter(0, 60_000), nextAfter(0, 86_400_000), nextAfter(1, 1_000)]).toEqual([60, 3_600, 300]);
});

test("a success and a 410 end a delivery at once", () => {
  expect(endOf({ attempts: 0, tries: "[]" }, { ...failed, status: 204, isDelivered: true })).toMatchObject({
    ...{ state: "delivered", nextAt: null, tries: '[{"at":1000,"status":204,"ms":20}]' },
  });
  const gone = endOf({ attempts: 0, tries: "[]" }, { ...failed, status: 410, isGone: true });
  expect(gone).toMatchObject({ state: "failed", nextAt: null });
});

test("of the tries the last sixteen are kept", () => {
  const tries = JSON.stringify(Array.from({ length: 16 }, (_, at) => ({ at, status: null, ms: 1, error: "none" })));
  const after = JSON.parse(endOf({ attempts: 3, tries }, failed).tries);
  expect([after.length, after[0].at, after.at(-1)]).toEqual([16, 1, { at: 1_000, status: 500, ms: 20 }]);
});

test("a body has type, timestamp and data, and says when it was cut", () => {
  const event = { type: "job.done", at: 0, data: '{"id":"a"}', isTruncated: false };
  expect(bodyOf(event)).toBe('{"type":"job.done","timestamp":"1970-01-01T00:00:00.000Z","data":{"id":"a"}}');
  expect(JSON.parse(bodyOf({ ...event, isTruncated: true }))).toMatchObject({ truncated: true });
});
