import { type Clock, isInfrastructure, type Logger } from "@headwater/kernel";
import { isUnavailable, isUnforeseen } from "../answers/errorAnswer.ts";

const SECOND_MS = 1_000;

/** The request that failed, as log lines name it. */
export interface FailedRequest {
  readonly requestId: string;
  readonly route: string;
}

/** Logs what operators should see of failed requests; nothing of work that was aborted because its client is gone. */
export type FailureLog = (error: unknown, request: FailedRequest, isClientGone: boolean) => void;

/**
 * Every unforeseen failure is an error. A store or log that is away is a warning, once a second: in an outage every request fails alike;
 * `unlogged` counts those since the last line.
 */
export function createFailureLog(logger: Logger, clock: Clock): FailureLog {
  let loggedAtMs = Number.NEGATIVE_INFINITY;
  let unlogged = 0;
  return (error, request, isClientGone) => {
    if (isClientGone && isInfrastructure(error)) return;
    if (isUnforeseen(error)) {
      logger.error({ err: error, ...request }, "request failed");
      return;
    }
    if (!isUnavailable(error)) return;
    const nowMs = clock.monotonicMs();
    if (nowMs - loggedAtMs < SECOND_MS) {
      unlogged += 1;
      return;
    }
    logger.warn({ err: error, ...request, unlogged }, "a dependency is unavailable, answered 503");
    loggedAtMs = nowMs;
    unlogged = 0;
  };
}
