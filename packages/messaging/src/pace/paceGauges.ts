import type { Gauge, GaugeUse } from "./gauge.ts";
import { dayOf, type PaceLimit, perSecondLimit, rollingLimit, type TransportRates, warmupLimit } from "./limits.ts";
import { RATE_USUAL, type SlowedRate, slowedRateAt } from "./slowDown.ts";

/** State of a gauge as it is kept. */
export interface GaugeState extends GaugeUse {
  /** First day of the warm-up, days since 1970. */
  readonly startedDay?: number | undefined;
  readonly slowed?: SlowedRate | undefined;
}

const SECOND_MS = 1_000;

/** Returns the state of a transport's gauge under its rates: a plan of warm-up begins with the first message. */
export function startedState(state: GaugeState, { warmup }: TransportRates, nowMs: number): GaugeState {
  const startedDay = warmup === undefined ? undefined : (state.startedDay ?? dayOf(nowMs));
  return { ...state, startedDay };
}

/** Returns the gauge of all messages of a transport. */
export function transportGauge({ counts, startedDay = 0 }: GaugeState, rates: TransportRates): Gauge {
  const { perSecond, windows = [], warmup } = rates;
  const limits: PaceLimit[] = [
    ...(perSecond === undefined ? [] : [perSecondLimit("perSecond", () => perSecond)]),
    ...windows.map((window) => rollingLimit(`window ${window.count}/${window.per.n} ${window.per.unit}`, window)),
    ...(warmup === undefined || warmup.length === 0 ? [] : [warmupLimit(warmup, startedDay)]),
  ];
  return { limits, counts };
}

/** Returns the gauge of a transport's messages to one domain. */
export function domainGauge({ counts, slowed }: GaugeState, rates: TransportRates, domain: string): Gauge {
  const perDomain = rates.perDomain?.[domain];
  if (perDomain === undefined && slowed === undefined) return { limits: [], counts };
  const usual = usualRate(rates, domain);
  const rateAt = (slice: number) => slowedRateAt(slowed, usual, slice * SECOND_MS) ?? perDomain ?? usual;
  return { limits: [perSecondLimit("perSecond", rateAt)], counts };
}

/** Returns the rate of a domain without slowing. */
export function usualRate({ perDomain, perSecond = RATE_USUAL }: TransportRates, domain: string): number {
  return perDomain?.[domain] ?? perSecond;
}

/** Returns the gauge of one message. */
export function messageGauge({ counts }: GaugeState, perMinute: number): Gauge {
  return { limits: [rollingLimit("perMinute", { count: perMinute, per: { n: 1, unit: "minute" } })], counts };
}
