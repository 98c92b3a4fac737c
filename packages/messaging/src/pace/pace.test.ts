import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Gauge, type GaugeUse, takePace } from "./gauge.ts";
import { type PaceLimit, perSecondLimit, type RollingWindow, rollingLimit } from "./limits.ts";
import { domainGauge, type GaugeState, slowedBy, slowedRateAt, startedState, transportGauge } from "./pace.ts";

const START = Date.UTC(2026, 0, 9);
const DAY_MS = 86_400_000;

interface Sent {
  readonly atMs: number;
  readonly count: number;
}
/** A sender that asks after `afterMs` for `wanted` messages. */
const asking = fc.record({ afterMs: fc.integer({ min: 0, max: 700 }), wanted: fc.integer({ min: 1, max: 80 }) });
type Asking = typeof asking extends fc.Arbitrary<infer Value> ? Value : never;

/** Runs senders that ask one after the other: each sees what all before it took. */
function run(limits: readonly PaceLimit[], asks: readonly Asking[]) {
  let use: GaugeUse = { counts: {} };
  let nowMs = START;
  const intents: Sent[] = [];
  const handedOver: Sent[] = [];
  for (const { afterMs, wanted } of asks) {
    nowMs += afterMs;
    const { grant, uses } = takePace([{ limits, ...use }], wanted, nowMs);
    use = uses[0] ?? use;
    const { granted, turnsInMs } = grant;
    intents.push({ atMs: nowMs, count: granted });
    for (const inMs of turnsInMs) handedOver.push({ atMs: nowMs + inMs, count: 1 });
  }
  return { intents, handedOver };
}

function mostWithin(sent: readonly Sent[], windowMs: number): number {
  const sums = sent.map(({ atMs: endMs }) =>
    sent.filter(({ atMs }) => atMs <= endMs && atMs > endMs - windowMs).reduce((sum, { count }) => sum + count, 0),
  );
  return Math.max(0, ...sums);
}

describe("no interleaving of senders", () => {
  test("hands over more than a rate in any second", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.2, max: 60, noNaN: true }), fc.array(asking, { maxLength: 120 }), (rate, asks) => {
        const bySecond = new Map<number, number>();
        for (const { atMs, count } of run([perSecondLimit("r", () => rate)], asks).handedOver) {
          const second = Math.floor(atMs / 1_000);
          bySecond.set(second, (bySecond.get(second) ?? 0) + count);
        }
        for (const count of bySecond.values()) expect(count).toBeLessThanOrEqual(Math.ceil(rate));
      }),
      { numRuns: 200 },
    );
  });

  test("hands over more than one beyond a rate in any stretch of a second, or long after the intent", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.array(asking, { maxLength: 120 }), (rate, asks) => {
        const { intents, handedOver } = run([perSecondLimit("r", () => rate)], asks);
        // Times are fractions: what is a second apart may be a hair less.
        expect(mostWithin(handedOver, 999.999)).toBeLessThanOrEqual(rate + 1);
        const begun = intents.flatMap(({ atMs, count }) => Array.from({ length: count }, () => atMs));
        for (const [index, { atMs }] of handedOver.entries()) {
          expect(atMs - (begun[index] ?? 0)).toBeLessThanOrEqual(500);
        }
      }),
      { numRuns: 200 },
    );
  });

  test("exceeds a window in any stretch of its length, and none of several", () => {
    const window = fc.record({
      count: fc.integer({ min: 1, max: 100 }),
      per: fc.record({ n: fc.integer({ min: 1, max: 12 }), unit: fc.constant("second" as const) }),
    });
    fc.assert(
      fc.property(
        fc.array(window, { minLength: 1, maxLength: 3 }),
        fc.array(asking, { maxLength: 120 }),
        (all, asks) => {
          const { intents: sent } = run(
            all.map((one, position) => rollingLimit(String(position), one)),
            asks,
          );
          for (const { count, per } of all) expect(mostWithin(sent, per.n * 1_000)).toBeLessThanOrEqual(count);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe("senders that always want more", () => {
  /** They ask for a window one after the other, and again as the answer says. */
  const greedy = (limits: readonly PaceLimit[], forMs: number) => {
    let use: GaugeUse = { counts: {} };
    let sum = 0;
    for (let nowMs = START; nowMs < START + forMs; ) {
      const { grant, uses } = takePace([{ limits, ...use }], 50, nowMs);
      use = uses[0] ?? use;
      const askedAtMs = nowMs;
      sum += grant.turnsInMs.filter((inMs) => askedAtMs + inMs < START + forMs).length;
      nowMs += Math.max(1, grant.waitMs);
    }
    return sum;
  };

  test.each([200, 3.5, 0.25])("use a rate of %d a second whole", (rate) => {
    expect(greedy([perSecondLimit("r", () => rate)], 60_000)).toBe(60 * rate);
  });

  test.each<RollingWindow>([
    { count: 100, per: { n: 1, unit: "minute" } },
    { count: 700, per: { n: 10, unit: "minute" } },
    { count: 5_000, per: { n: 1, unit: "day" } },
  ])("use at least 95 of 100 of %j", (window) => {
    const windowMs =
      window.per.n * { second: 1_000, minute: 60_000, hour: 3_600_000, day: DAY_MS, week: 0 }[window.per.unit];
    expect(greedy([rollingLimit("w", window)], 40 * windowMs)).toBeGreaterThanOrEqual(0.95 * 40 * window.count);
  });
});

test("warm-up grants what its plan says for each day, and the last step on", () => {
  const rates = {
    warmup: [
      { day: 1, perDay: 20 },
      { day: 3, perDay: 50 },
    ],
  };
  let state: GaugeState = { counts: {} };
  const granted = [0, 1, 2, 3, 9].map((day) => {
    const nowMs = START + day * DAY_MS;
    state = startedState(state, rates, nowMs);
    const taken = takePace([transportGauge(state, rates)], 1_000, nowMs);
    state = { ...state, ...taken.uses[0] };
    expect(takePace([transportGauge(state, rates)], 1, nowMs).grant).toMatchObject({ granted: 0, waitMs: DAY_MS });
    return taken.grant.granted;
  });
  expect(granted).toEqual([20, 20, 50, 50, 50]);
});

test("a domain that asks for less gets half, once for answers that come together, and recovers", () => {
  const first = slowedBy(undefined, 40, START);
  expect(first.rate).toBe(20);
  expect(slowedBy(first, 40, START + 5_000)).toBe(first);
  expect(slowedBy(first, 40, START + 10_000).rate).toBeLessThan(13);
  expect(slowedRateAt(first, 40, START + 30_000)).toBeGreaterThan(20);
  expect(slowedRateAt(first, 40, START + 60_000)).toBeUndefined();
  const gauge = domainGauge({ counts: {}, slowed: first }, { perSecond: 40 }, "example.org");
  const turns = takePace([gauge], 100, START).grant.turnsInMs;
  expect(turns.slice(0, 4)).toEqual([0, 40, 80, 120]);
  expect(turns.length).toBeLessThan(20);
  expect(takePace([domainGauge({ counts: {} }, { perSecond: 40 }, "example.org")], 100, START).grant).toMatchObject({
    granted: 100,
  });
});

test("a message gets what all gauges have, and a full one makes it wait as long as it must", () => {
  const gauges = [perSecondLimit("a", () => 10), rollingLimit("b", { count: 4, per: { n: 1, unit: "minute" } })].map(
    (limit): Gauge => ({ limits: [limit], counts: {} }),
  );
  const taken = takePace(gauges, 50, START);
  expect(taken.grant).toEqual({ granted: 4, waitMs: 61_500, turnsInMs: [0, 80, 160, 240] });
  const full = gauges.map(({ limits }, place): Gauge => ({ limits, counts: {}, ...taken.uses[place] }));
  expect(takePace(full, 1, START + 20).grant).toMatchObject({ granted: 0, waitMs: 61_500 - 20 });
});

test("a clock that was set back makes nothing wait for the time that it showed before", () => {
  const gauge = (use: GaugeUse): Gauge => ({ limits: [perSecondLimit("r", () => 10)], ...use });
  const { uses } = takePace([gauge({ counts: {} })], 5, START);
  expect(takePace([gauge(uses[0] ?? { counts: {} })], 1, START + 100).grant.turnsInMs).toEqual([300]);
  expect(takePace([gauge(uses[0] ?? { counts: {} })], 1, START - 60_000).grant.turnsInMs).toEqual([0]);
});

test("turns go on in the next second before it has begun, and none is given far ahead", () => {
  const gauge = (use: GaugeUse): Gauge => ({ limits: [perSecondLimit("r", () => 10)], ...use });
  const first = takePace([gauge({ counts: {} })], 50, START);
  expect(first.grant.turnsInMs).toEqual([0, 80, 160, 240, 320, 400, 480]);
  expect(first.grant.waitMs).toBe(560 - 250);
  const next = takePace([gauge(first.uses[0] ?? { counts: {} })], 50, START + 700);
  // Places that passed unused are lost: they would come all at once.
  expect(next.grant.turnsInMs.map((inMs) => Math.round(700 + inMs))).toEqual([700, 720, 1_000, 1_080, 1_160]);
});

test("what a slow domain makes later leaves the places of its transport to others", () => {
  const transport = { limits: [perSecondLimit("t", () => 100)], counts: {} };
  const slow: Gauge = { limits: [perSecondLimit("d", () => 4)], counts: {} };
  const { grant, uses } = takePace([transport, slow], 2, START);
  expect(grant.turnsInMs).toEqual([0, 200]);
  const others = takePace([{ ...transport, ...uses[0] }], 2, START);
  expect(others.grant.turnsInMs).toEqual([16, 24]);
});
