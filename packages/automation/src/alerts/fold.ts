import { type AlertCondition, type AlertStateName, areMet } from "./alert.ts";

/** State that the evaluations of an alert have left. Times are milliseconds since 1970. */
export interface Evaluated {
  readonly state: AlertStateName;
  /** Time since which it has its state; null before the first evaluation. */
  readonly since: number | null;
  readonly value: number | null;
  /** Instant up to which the value has counted everything. */
  readonly asOf: number | null;
  readonly lastRaised: number | null;
  /** Time at which it was raised, while that stands; it names the crossing. */
  readonly raisedAt: number | null;
  /** Last time that somebody was notified of the crossing. */
  readonly notifiedAt: number | null;
}

export const neverEvaluated: Evaluated = {
  ...{ state: "unjudged", since: null, value: null, asOf: null, lastRaised: null, raisedAt: null, notifiedAt: null },
};

/** Value that an evaluation has seen. `unjudged`: a rate of nothing, or nothing could be counted; then `asOf` is undefined. */
export type Observation =
  | { readonly kind: "value"; readonly value: number; readonly asOf: number }
  | { readonly kind: "unjudged"; readonly asOf: number | undefined };

/** Reason to notify somebody. `raisedAt` names the crossing: a reminder has that of its raise. */
export interface AlertNotice {
  readonly kind: "raised" | "reminded" | "cleared";
  readonly raisedAt: number;
}

export interface Folded {
  readonly after: Evaluated;
  readonly notice?: AlertNotice;
}

/** Time after which a raised alert is reminded of. */
export const REMIND_AFTER_MS = 3_600_000;

/**
 * Applies an observation to an alert. A crossing is raised once, reminded of each hour, and cleared once a value is there that does not fulfil the
 * conditions. While nothing can be said of it a crossing stays open: it is neither cleared nor raised a second time.
 */
export function foldObservation(
  before: Evaluated,
  observation: Observation,
  { conditions, nowMs }: { readonly conditions: readonly AlertCondition[]; readonly nowMs: number },
): Folded {
  if (observation.kind === "unjudged") {
    const { asOf = before.asOf } = observation;
    return { after: { ...before, ...inState(before, "unjudged", nowMs), value: null, asOf } };
  }
  const { value, asOf } = observation;
  if (!areMet(conditions, value)) {
    const after = { ...before, ...inState(before, "ok", nowMs), value, asOf, raisedAt: null, notifiedAt: null };
    if (before.raisedAt === null) return { after };
    return { after, notice: { kind: "cleared", raisedAt: before.raisedAt } };
  }
  const raised = { ...before, ...inState(before, "raised", nowMs), value, asOf };
  const { raisedAt, notifiedAt } = before;
  if (raisedAt === null) {
    const after = { ...raised, lastRaised: nowMs, raisedAt: nowMs, notifiedAt: nowMs };
    return { after, notice: { kind: "raised", raisedAt: nowMs } };
  }
  if (nowMs - (notifiedAt ?? raisedAt) < REMIND_AFTER_MS) return { after: raised };
  return { after: { ...raised, notifiedAt: nowMs }, notice: { kind: "reminded", raisedAt } };
}

function inState({ state, since }: Evaluated, next: AlertStateName, nowMs: number): Pick<Evaluated, "state" | "since"> {
  return { state: next, since: state === next && since !== null ? since : nowMs };
}
