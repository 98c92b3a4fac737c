import { isVersion, ZERO_VERSION } from "@headwater/contracts";
import type { Mail } from "./quarantine.ts";

export interface ChangePosition {
  readonly offset: number;
  /** Position in its message; -1 = the whole message. */
  readonly place: number;
  /** Time at which the broker appended it. */
  readonly timeMs: number;
  /** The change event as it was read, or the beginning of a message that nobody can read. */
  readonly value: unknown;
}

/** Accounts are numbered by an int of Postgres. */
const ACCOUNT_MAX = 2 ** 31 - 1;

/**
 * The dead letter of a change event: it belongs to no request and has no receipt. Operators see it under its topic; its account,
 * where it can be read, is that of the dead letter, so that an erasure finds what it holds about a person.
 */
export function changeDeadLetter(
  { group, topic, partition }: { readonly group: string; readonly topic: string; readonly partition: number },
  { offset, place: position, timeMs, value }: ChangePosition,
): Mail {
  return {
    account: accountOf(value),
    recordId: `${group}:${topic}:${partition}:${offset}:${position}`,
    requestId: "",
    itemIndex: 0,
    operation: topic,
    version: versionOf(value),
    receivedAt: timeMs,
    payload: value,
  };
}

function accountOf(value: unknown): number {
  const account = memberOf(value, "account");
  const isAccount = typeof account === "number" && Number.isInteger(account) && account > 0 && account <= ACCOUNT_MAX;
  return isAccount ? account : 0;
}

function versionOf(value: unknown): string {
  const version = memberOf(value, "version");
  return typeof version === "string" && isVersion(version) ? version : ZERO_VERSION;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
