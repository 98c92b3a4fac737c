import { createAccountingMetrics } from "@headwater/intake/accounting/accountingMetrics";
import { createLagMetrics } from "@headwater/intake/lags/lagMetrics";
import { createLogger, createMetrics, manualClock } from "@headwater/kernel";
import { expect, test } from "vitest";
import { createCachedCheck } from "./cachedCheck.ts";

const logger = createLogger({ name: "test", level: "silent" });
const lag = { group: "state", topic: "intake.records", partition: 3, nextOffset: 9, records: 7, seconds: 1.5 };
const key = { account: 1, hour: 5, operation: "upsertOrder" };
const line = { ...key, accepted: 3, applied: 1, skipped: 0, rejected: 1, parked: 0, lost: 0, pending: 0 };

test("both lags of a scrape come from one look, and a look that fails costs no other metric", async () => {
  const clock = manualClock();
  const metrics = createMetrics({ processMetrics: false });
  const answers = [[lag], new Error("away"), [{ ...lag, records: 0, seconds: 0 }]];
  const readLags = async () => {
    const answer = answers.shift();
    if (answer === undefined || answer instanceof Error) throw answer;
    return answer;
  };
  createLagMetrics({ metrics, readLags, clock, logger });
  const view = await metrics.render();
  const labels = '{group="state",topic="intake.records",partition="3"}';
  expect(view).toContain(`headwater_lag_records${labels} 7`);
  expect(view).toContain(`headwater_lag_seconds${labels} 1.5`);
  clock.advance(1_000);
  expect(await metrics.render()).not.toContain(labels);
  clock.advance(1_000);
  expect(await metrics.render()).toContain(`headwater_lag_records${labels} 0`);
});

test("accounting shows the sums of the last day by operation, and how many lines do not balance", async () => {
  const clock = manualClock(100 * 3_600_000);
  const metrics = createMetrics({ processMetrics: false });
  const ranges: object[] = [];
  const read = async (range: object) => {
    ranges.push(range);
    return [line, { ...line, account: 2, pending: 1 }];
  };
  createAccountingMetrics({ metrics, read, clock, logger });
  const displayed = await metrics.render();
  expect(displayed).toContain('headwater_accounting_records{operation="upsertOrder",outcome="accepted"} 6');
  expect(displayed).toContain('headwater_accounting_records{operation="upsertOrder",outcome="pending"} 1');
  expect(displayed).toContain("headwater_accounting_unbalanced 1");
  expect(ranges).toEqual([{ from: 77, to: 101 }]);
});

test("a look that takes long costs a scrape a bounded wait; the next one shows what was seen", async () => {
  const clock = manualClock();
  const { promise, resolve } = Promise.withResolvers<number>();
  const check = createCachedCheck({ read: () => promise, keptMs: 1, waitMs: 1, what: "it", clock, logger });
  expect(await check()).toBeUndefined();
  resolve(5);
  expect(await check()).toBe(5);
});
