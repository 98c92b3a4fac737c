import { readRefusal, text, toList, toMembers } from "./answers.ts";
import { ClientError } from "./clientError.ts";
import { undelivered } from "./deliver.ts";
import { type Persistence, persist } from "./persist.ts";

/** Outcome of one request's records so far. */
export interface Receipt {
  /** `pending` while a record is not at its end; a parked one waits for its contact. */
  readonly state: "pending" | "applied" | "partly_rejected" | "rejected";
  readonly records: {
    readonly applied: number;
    readonly skipped: number;
    readonly rejected: number;
    readonly parked: number;
    readonly pending: number;
  };
  /** Counts by code. */
  readonly skips: Readonly<Record<string, number>>;
  readonly warnings: Readonly<Record<string, number>>;
  /** Rejections, at most 1,000; `index` is the item's, as `Accepted` names it. */
  readonly rejections: readonly {
    readonly index: number;
    readonly path: string;
    readonly code: string;
    readonly message: string;
  }[];
  /** Cursor of further rejections. */
  readonly next: string | undefined;
}

export interface ReceiptsParts {
  readonly persistence: Persistence;
  readonly serviceUrl: URL;
  readonly apiKey: string;
  readonly requestTimeoutMs: number;
}

export interface ReceiptOptions {
  /** `next` of the page before. */
  readonly cursor?: string | undefined;
  /** Time the API may wait for the end, 0 to 30. */
  readonly waitSeconds?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface WaitOptions {
  /** Default 60,000. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const WAIT_SECONDS_MAX = 20;
const WAIT_FOR_MS = 60_000;

/** Asks the v2 API for a receipt, with the key as Basic user name. @throws ClientError `refused` when it is unknown. */
export async function readReceipt(parts: ReceiptsParts, token: string, options: ReceiptOptions = {}): Promise<Receipt> {
  const { cursor, waitSeconds = 0, signal = new AbortController().signal } = options;
  signal.throwIfAborted();
  const url = new URL(`v2/receipts/${encodeURIComponent(token)}`, parts.serviceUrl);
  if (cursor !== undefined) url.searchParams.set("cursor", cursor);
  if (waitSeconds > 0) url.searchParams.set("wait", String(waitSeconds));
  const authorization = `Basic ${Buffer.from(`${parts.apiKey}:`).toString("base64")}`;
  const outcome = await persist(parts.persistence, {
    request: { method: "GET", url, headers: { authorization } },
    signal,
    timeoutMs: parts.requestTimeoutMs + waitSeconds * 1_000,
    isReadable: (status, body) => status !== 200 || toReceipt(body) !== undefined,
  });
  signal.throwIfAborted();
  if (outcome.kind === "gaveUp") throw undelivered({ ...outcome, mayBeAccepted: false });
  const receipt = outcome.status === 200 ? toReceipt(outcome.body) : undefined;
  if (receipt === undefined) throw readRefusal(outcome.status, outcome.body);
  return receipt;
}

/**
 * Follows a receipt until no record is pending or parked. @throws ClientError `timeout` when that takes longer, `refused`,
 * `undelivered`, or the signal's reason.
 */
export async function waitForReceipt(parts: ReceiptsParts, token: string, options: WaitOptions = {}): Promise<Receipt> {
  const { timeoutMs = WAIT_FOR_MS, signal } = options;
  const untilMs = performance.now() + timeoutMs;
  // Bounded by timeoutMs: every question but the last waits on the other side.
  for (;;) {
    const leftMs = Math.max(0, untilMs - performance.now());
    const waitSeconds = Math.min(WAIT_SECONDS_MAX, Math.ceil(leftMs / 100) / 10);
    const receipt = await readReceipt(parts, token, { waitSeconds, signal });
    if (receipt.state !== "pending") return receipt;
    if (performance.now() >= untilMs) throw notYetApplied(receipt, timeoutMs);
  }
}

function notYetApplied({ records }: Receipt, timeoutMs: number): ClientError {
  const message = `After ${timeoutMs} ms ${records.pending} records are pending and ${records.parked} are parked.`;
  return new ClientError({ kind: "timeout", code: "NOT_YET_APPLIED", message });
}

function toReceipt(body: unknown): Receipt | undefined {
  const { state, records, skips, warnings, rejections, next } = toMembers(body);
  if (state !== "pending" && state !== "applied" && state !== "partly_rejected" && state !== "rejected")
    return undefined;
  const { applied, skipped, rejected, parked, pending } = toCounts(records);
  return {
    state,
    records: {
      applied: applied ?? 0,
      skipped: skipped ?? 0,
      rejected: rejected ?? 0,
      parked: parked ?? 0,
      pending: pending ?? 0,
    },
    skips: toCounts(skips),
    warnings: toCounts(warnings),
    rejections: toList(rejections).map(toRejection),
    next: text(next),
  };
}

function toCounts(value: unknown): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [code, count] of Object.entries(toMembers(value))) if (typeof count === "number") counts[code] = count;
  return counts;
}

function toRejection(value: unknown) {
  const { index, path, code, message } = toMembers(value);
  return {
    index: typeof index === "number" ? index : -1,
    path: text(path) ?? "",
    code: text(code) ?? "",
    message: text(message) ?? "",
  };
}
