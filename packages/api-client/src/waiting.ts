import { setTimeout as sleep } from "node:timers/promises";
import { ClientError, toMembers } from "@headwater/client";
import type { Row } from "./pages.ts";
import type { CallOptions, OperationId } from "./request.ts";
import type { ServiceAnswer } from "./transport.ts";

export interface WaitOptions {
  /** Default ten minutes. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with the state after each poll. */
  readonly onProgress?: ((state: Row) => void) | undefined;
}

type Caller = (operation: OperationId, options: CallOptions) => Promise<ServiceAnswer>;

const TIMEOUT_MS = 600_000;
const FINAL: ReadonlySet<unknown> = new Set(["Done", "Failed", "Canceled"]);
const ASK_AGAIN_SECONDS = 1;
const ASK_AGAIN_SECONDS_MAX = 30;
const HELD_SECONDS_MAX = 20;

/**
 * Polls a job until it is `Done`, `Failed` or `Canceled`, as often as its `Retry-After` says. @returns the job as it ended.
 * @throws ClientError `timeout`, or what the transport throws.
 */
export async function waitForJob(call: Caller, id: string, options: WaitOptions = {}): Promise<Row> {
  const { timeoutMs = TIMEOUT_MS, signal, onProgress } = options;
  const untilMs = performance.now() + timeoutMs;
  // Bounded by timeoutMs: every round waits.
  for (;;) {
    const { body, headers } = await call("getJob", { path: [id], signal });
    const job = toMembers(body);
    onProgress?.(job);
    if (FINAL.has(job.status)) return job;
    const seconds = Math.min(Number(headers.get("retry-after")) || ASK_AGAIN_SECONDS, ASK_AGAIN_SECONDS_MAX);
    if (performance.now() + seconds * 1_000 > untilMs)
      throw overdue(`The job ${id} is ${String(job.status)}`, timeoutMs);
    await sleep(seconds * 1_000, undefined, { signal });
  }
}

/**
 * Follows a receipt until no record of it is pending; the service holds each question until then or for some seconds.
 * @throws ClientError `timeout`, or what the transport throws.
 */
export async function waitForReceipt(call: Caller, receipt: string, options: WaitOptions = {}): Promise<Row> {
  const { timeoutMs = TIMEOUT_MS, signal, onProgress } = options;
  const untilMs = performance.now() + timeoutMs;
  // Bounded by timeoutMs: every question but the last waits on the other side.
  for (;;) {
    const leftSeconds = Math.max(0, untilMs - performance.now()) / 1_000;
    const wait = Math.min(HELD_SECONDS_MAX, Math.ceil(leftSeconds * 10) / 10);
    const { body } = await call("getReceipt", { path: [receipt], query: { wait }, signal });
    const state = toMembers(body);
    onProgress?.(state);
    if (state.state !== "pending") return state;
    if (performance.now() >= untilMs) throw overdue("Records of the receipt are pending", timeoutMs);
  }
}

function overdue(what: string, timeoutMs: number): ClientError {
  const message = `${what} after ${timeoutMs / 1_000} s: ask again later.`;
  return new ClientError({ kind: "timeout", code: "NOT_YET_APPLIED", message });
}
