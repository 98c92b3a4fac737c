/** States of a batch message, spelt as answers show them. */
export const batchMessageStatuses = [
  "draft",
  "scheduled",
  "pending",
  "processing",
  "paused",
  "sent",
  "canceled",
  "failed",
] as const;
export type BatchMessageStatus = (typeof batchMessageStatuses)[number];

/** Calls that change the state of a batch message. */
export const batchMessageCalls = ["send", "pause", "resume", "cancel", "unschedule", "delete"] as const;
export type BatchMessageCall = (typeof batchMessageCalls)[number];

/** Causes other than calls. */
export type BatchMessageCause = "due" | "start" | "done" | "hold" | "fail";

interface Rule {
  readonly from: readonly BatchMessageStatus[];
  /** States in which the call has nothing to do. */
  readonly holdsIn: readonly BatchMessageStatus[];
}

interface CauseRule extends Pick<Rule, "from"> {
  readonly to: BatchMessageStatus;
}

const callRules: Readonly<Record<BatchMessageCall, Rule>> = {
  send: { from: ["draft"], holdsIn: ["scheduled", "pending"] },
  pause: { from: ["pending", "processing"], holdsIn: ["paused"] },
  resume: { from: ["paused"], holdsIn: ["processing"] },
  cancel: { from: ["scheduled", "pending", "processing", "paused"], holdsIn: ["canceled"] },
  unschedule: { from: ["scheduled"], holdsIn: ["draft"] },
  delete: { from: ["draft", "scheduled"], holdsIn: [] },
};

const causeRules: Readonly<Record<BatchMessageCause, CauseRule>> = {
  due: { from: ["scheduled"], to: "pending" },
  start: { from: ["pending"], to: "processing" },
  done: { from: ["processing"], to: "sent" },
  hold: { from: ["pending", "processing"], to: "paused" },
  fail: { from: ["pending", "processing"], to: "failed" },
};

export type CallResult =
  /** The call does its work. */
  | { readonly kind: "go" }
  /** Its target holds already: nothing changes. */
  | { readonly kind: "holds" }
  | { readonly kind: "refused"; readonly from: BatchMessageStatus; readonly allowed: readonly BatchMessageCall[] };

/** Returns whether a call may be made on a message in a state. */
export function evaluateCall(from: BatchMessageStatus, call: BatchMessageCall): CallResult {
  const rule = callRules[call];
  if (rule.from.includes(from)) return { kind: "go" };
  return rule.holdsIn.includes(from) ? { kind: "holds" } : { kind: "refused", from, allowed: callsAllowed(from) };
}

/** Returns the calls that would change a message in the state. */
export function callsAllowed(from: BatchMessageStatus): BatchMessageCall[] {
  return batchMessageCalls.filter((call) => callRules[call].from.includes(from));
}

/** Returns the state that `send` leads to. Times are milliseconds since 1970; a message without a schedule starts at once. */
export function statusOfSend(scheduleAt: number | null, nowMs: number): "scheduled" | "pending" {
  return scheduleAt !== null && scheduleAt > nowMs ? "scheduled" : "pending";
}

/** Returns the state that a cause leads to; undefined where it means nothing any more. */
export function statusAfter(from: BatchMessageStatus, cause: BatchMessageCause): BatchMessageStatus | undefined {
  const rule = causeRules[cause];
  return rule.from.includes(from) ? rule.to : undefined;
}

/** True when nothing changes the message any more. */
export function isFinalMessage(status: BatchMessageStatus): boolean {
  return status === "sent" || status === "canceled" || status === "failed";
}
