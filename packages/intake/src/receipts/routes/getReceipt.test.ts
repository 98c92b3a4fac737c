import type { Receipt } from "@headwater/contracts";
import { expect, test } from "vitest";
import { stateOf, tallyRecords } from "./getReceipt.ts";

const part = (partition: number, count: number) => ({
  lane: 1,
  partition,
  firstOffset: 0,
  firstPlace: 0,
  lastOffset: 3,
  lastPlace: 0,
  count,
});
const receipt: Receipt = { requestId: "r", accountId: "a", receivedAt: 0, parts: [part(0, 6), part(1, 4)] };
const none = { skipped: 0, rejected: 0, parked: 0 };

test("what left no row and no count was applied", () => {
  const tally = tallyRecords(receipt, () => true, { skipped: 1, rejected: 2, parked: 0 });
  expect(tally).toEqual({ applied: 7, skipped: 1, rejected: 2, parked: 0, pending: 0 });
});

test("a part that its partition has not passed is pending, but for what is known of it already", () => {
  const isPassed = ({ partition }: { readonly partition: number }) => partition === 1;
  expect(tallyRecords(receipt, isPassed, none)).toMatchObject({ applied: 4, pending: 6 });
  const early = tallyRecords(receipt, () => false, { skipped: 0, rejected: 2, parked: 1 });
  expect(early).toEqual({ applied: 0, skipped: 0, rejected: 2, parked: 1, pending: 7 });
});

test("the state is pending while a record is pending or parked, then follows from the counts", () => {
  const counts = { applied: 0, pending: 0, ...none };
  expect(stateOf({ ...counts, applied: 3, pending: 1 })).toBe("pending");
  expect(stateOf({ ...counts, applied: 3, parked: 1 })).toBe("pending");
  expect(stateOf({ ...counts, applied: 1, skipped: 1 })).toBe("applied");
  expect(stateOf({ ...counts, skipped: 1, rejected: 1 })).toBe("partly_rejected");
  expect(stateOf({ ...counts, rejected: 2 })).toBe("rejected");
});
