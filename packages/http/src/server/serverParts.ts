import type { IncomingMessage } from "node:http";
import type { Clock, Logger } from "@headwater/kernel";
import type { Answer } from "../answers/answer.ts";
import type { AnswerBudget } from "../answers/answerBudget.ts";
import type { BodyBudget } from "../body/bodyBudget.ts";
import type { BodyWatch } from "../body/bodyWatch.ts";
import type { Caller } from "../guards/caller.ts";
import type { KeyCache } from "../guards/keyCache.ts";
import type { Peers } from "../guards/peers.ts";
import type { RateLimiter } from "../guards/rateLimiter.ts";
import type { Route } from "../routes/route.ts";
import type { AccessMetrics } from "./accessMetrics.ts";
import type { FailureLog } from "./failureLog.ts";

/** A call of a known caller and its answer. */
export interface AnsweredCall {
  readonly caller: Caller;
  readonly route: Route;
  readonly status: number;
  /** The error code of a call that was refused or failed. */
  readonly code: string | undefined;
  readonly items: Answer["items"];
  readonly requestId: string;
  /** Milliseconds since 1970 at which it came in. */
  readonly receivedAtMs: number;
  /** Returns the client's address, undefined when a trusted proxy names one that cannot be read. */
  readonly clientAddress: () => string | undefined;
}

/** Parts that all requests to a server share. */
export interface ServerParts {
  readonly logger: Logger;
  readonly logFailure: FailureLog;
  readonly clock: Clock;
  readonly newRequestId: () => string;
  readonly peers: Peers;
  readonly isAllowedFrom: (key: Caller, address: string | undefined) => boolean;
  readonly keys: KeyCache;
  readonly rates: RateLimiter;
  readonly defaultRateClass: string;
  readonly budget: BodyBudget;
  readonly answers: AnswerBudget;
  readonly watch: BodyWatch;
  readonly access: AccessMetrics;
  readonly onAnswer: ((answered: AnsweredCall) => void) | undefined;
  readonly errorAnswer: (answer: Answer) => Answer;
  /** Reads on, within bounds, what a refused request still sends, so that its client sees the answer. */
  readonly discard: (request: IncomingMessage) => void;
  readonly load: { inFlight: number; readonly inFlightMax: number; isStopping: boolean };
}
