import { refusal } from "@headwater/http";
import { overShare } from "@headwater/kernel";
import type { FrameProducer } from "@headwater/topics";
import { limits } from "./limits.ts";

/** Longest queue, as the time the log needs for it: a longer one makes every answer later and none sooner. */
const WAIT_MS_MAX = 1_000;
/** An account that has less than one request of the largest size waiting is never refused, however slow the log is. */
const BACKLOG_BYTES_FREE = limits.bytesWritten;

/**
 * Spares the work of validating what could not be written soon: a log that is away is a 503 before anything else, and so is an account's
 * own queue that needs longer than a second; 429 when others wait next to it, for then it is the account that sends more than its share.
 */
export function refuseWhenBehind(producer: Pick<FrameProducer, "state" | "backlog">, account: string): void {
  const { link, isDraining } = producer.state();
  if (link === "away") throw unavailable("The record log is unavailable.");
  if (isDraining) throw unavailable("The service is shutting down.");
  const { bytes, waitMs, isShared } = producer.backlog(account);
  if (bytes <= BACKLOG_BYTES_FREE || waitMs <= WAIT_MS_MAX) return;
  throw isShared ? overShare("records") : unavailable("The record log is overloaded. Retry later.");
}

function unavailable(message: string) {
  return refusal("SERVICE_UNAVAILABLE", message, { retryAfterSeconds: 1 });
}
