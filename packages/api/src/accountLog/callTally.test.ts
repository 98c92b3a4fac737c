import { expect, test } from "vitest";
import { createCallTally, type RecordedCall } from "./callTally.ts";

const MINUTE_MS = 60_000;

function tallyAt(countsMax?: number) {
  const time = { nowMs: 0 };
  const dropped = { calls: 0 };
  const tally = createCallTally({
    api: "api",
    clock: { nowMs: () => time.nowMs, monotonicMs: () => time.nowMs },
    onDrop: () => {
      dropped.calls += 1;
    },
    ...(countsMax !== undefined && { countsMax }),
  });
  const call = (id: string, more: Partial<RecordedCall> = {}) =>
    tally.count({ caller: { id, account: { number: 7 } }, operation: "upsertContact", status: 202, ...more });
  return { tally, time, dropped, call };
}

test("calls of a key that end the same way are one count of their minute", () => {
  const { tally, time, call } = tallyAt();
  call("a", { items: { accepted: 2, rejected: 1 } });
  call("a", { items: { accepted: 3, rejected: 0 } });
  call("a", { status: 422, code: "VALIDATION_ERROR" });
  call("b");
  time.nowMs = MINUTE_MS;
  call("a");
  const view = tally.take(1, 100).map(({ key, code, status, calls, accepted, rejected }) => {
    return [key, code, status, calls, accepted, rejected];
  });
  expect(view).toEqual([
    ["a", "", 0, 2, 5, 1],
    ["a", "VALIDATION_ERROR", 422, 1, 0, 0],
    ["b", "", 0, 1, 0, 0],
  ]);
  expect(tally.take(1, 100)).toEqual([]);
  expect(tally.take(2, 100)).toMatchObject([{ minute: 1, key: "a", calls: 1 }]);
});

test("counts that could not be written are added to those that came since", () => {
  const { tally, call } = tallyAt();
  call("a");
  const taken = tally.take(1, 100);
  call("a");
  tally.giveBack(taken);
  expect(tally.take(1, 100)).toMatchObject([{ calls: 2 }]);
});

test("counts are taken piece by piece, and none is left behind", () => {
  const { tally, call } = tallyAt();
  for (let key = 0; key < 10; key += 1) call(`k${key}`);
  const pieces = [tally.take(1, 4), tally.take(1, 4), tally.take(1, 4), tally.take(1, 4)];
  expect(pieces.map((piece) => piece.length)).toEqual([4, 4, 2, 0]);
  expect(new Set(pieces.flat().map(({ key }) => key)).size).toBe(10);
});

test("beyond the bound no new count is held, and each call that is not counted is reported", () => {
  const { tally, dropped, call } = tallyAt(2);
  for (const key of ["a", "b", "c", "a", "c"]) call(key);
  expect(dropped.calls).toBe(2);
  expect(tally.take(1, 100)).toMatchObject([
    { key: "a", calls: 2 },
    { key: "b", calls: 1 },
  ]);
  call("c");
  expect(dropped.calls).toBe(2);
});
