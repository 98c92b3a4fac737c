export { type Gauge, type GaugeUse, type Grant, type PaceCounts, type Taken, takePace } from "./gauge.ts";
export {
  dayOf,
  type PaceLimit,
  perSecondLimit,
  type RollingWindow,
  rollingLimit,
  type TransportRates,
  warmupLimit,
} from "./limits.ts";
export {
  domainGauge,
  type GaugeState,
  messageGauge,
  startedState,
  transportGauge,
  usualRate,
} from "./paceGauges.ts";
export { type SlowedRate, slowedBy, slowedRateAt } from "./slowDown.ts";
