import { openReceipt, type Receipt } from "@headwater/contracts";
import { type Caller, refusal } from "@headwater/http";
import type { AfterPorts, RoutePorts } from "../ports.ts";
import { consistencyOf, type Store } from "./consistencyOf.ts";

const RECEIPT_DAYS = 7;
const DAY_MS = 86_400_000;

/** The receipt of the caller's account; undefined for one that is malformed, of another account, or too old. */
export function readReceipt(
  token: string,
  caller: Caller,
  { secret, clock }: Pick<RoutePorts, "clock" | "secret">,
): Receipt | undefined {
  const receipt = openReceipt(token, secret);
  if (receipt === undefined || receipt.accountId !== caller.account.id) return undefined;
  return clock.nowMs() - receipt.receivedAt > RECEIPT_DAYS * DAY_MS ? undefined : receipt;
}

export interface After {
  readonly token: string | undefined;
  readonly caller: Caller;
  readonly store: Store;
  /** Aborted when the client has gone away. */
  readonly signal: AbortSignal;
}

/** A read by key: what it asks for next to the key is mostly nothing, and then nothing is made for it. */
interface CallOfState {
  readonly query: { readonly after?: string | undefined };
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

/** `waitForAfter` for a read of Postgres. */
export async function waitForState(call: CallOfState, ports: AfterPorts): Promise<void> {
  const { query, caller } = call;
  if (query.after === undefined) return;
  await waitForAfter({ token: query.after, caller, store: "state", signal: call.signal }, ports);
}

/**
 * Waits until the work of `?after=` is visible to the read.
 *
 * Throws 400 `BAD_REQUEST` for a receipt that cannot be read, 409 `NOT_YET_APPLIED` when the time is up, 429 when the account has as
 * many waits as it may.
 */
export async function waitForAfter({ token, caller, store, signal }: After, ports: AfterPorts): Promise<void> {
  if (token === undefined) return;
  const receipt = readReceipt(token, caller, ports);
  if (receipt === undefined) throw refusal("BAD_REQUEST", "The receipt in `after` is invalid.", DETAILS);
  const isConsistent = consistencyOf(ports, receipt, store);
  const wait = { flow: caller.account.number, timeoutMs: ports.afterTimeoutMs, signal };
  if (await ports.waits.until(isConsistent, wait)) return;
  throw refusal("NOT_YET_APPLIED", "The records of this receipt are not visible yet.", { retryAfterSeconds: 1 });
}

const DETAILS = {
  details: [{ path: "/after", code: "bad_value", message: "The value is not a receipt of this account." }],
};
