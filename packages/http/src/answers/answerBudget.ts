import type { ServerResponse } from "node:http";
import { allTaken, type HeadwaterError, overShare } from "@headwater/kernel";
import { createShares } from "../guards/shares.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
/** Answers up to this size are never refused because of others: connections bound how many there are. */
export const FREE_ANSWER_BYTES = 64 * KIB;
const ANSWERS_BYTES_MAX = 128 * MIB;
/** An account that is alone takes three quarters. */
const WEIGHT = 3;
const WHAT = "large answers";

export interface AnswerBudgetOptions {
  /** Limit of all large answers that clients have not taken yet; default 128 MiB. */
  readonly bytesMax?: number;
  /** Time that every client has, however small its answer; default 10 s. */
  readonly graceMs?: number;
  /** Rate at which a client takes a large answer at least; default 32 KiB/s. */
  readonly bytesPerSecondMin?: number;
}

/** Memory of large answers between the instant they are built and the instant their clients have taken them. */
export interface AnswerBudget {
  /**
   * Charges the answer to its holder until it is sent or its connection is closed. A client that is slower than the least rate loses it.
   * @returns the refusal, 429 when the holder has too many of them on their way, 503 when others have; undefined when it was charged.
   */
  hold(holder: string, bytes: number, response: ServerResponse): HeadwaterError | undefined;
}

export function createAnswerBudget(options: AnswerBudgetOptions = {}): AnswerBudget {
  const { bytesMax = ANSWERS_BYTES_MAX, graceMs = 10_000, bytesPerSecondMin = 32 * KIB } = options;
  const shares = createShares({ max: bytesMax, weight: WEIGHT });
  return {
    hold(holder, bytes, response) {
      if (!shares.take(holder, bytes)) return shares.holds(holder) ? overShare(WHAT) : allTaken(WHAT);
      const timeMs = graceMs + (1_000 * bytes) / bytesPerSecondMin;
      const timer = setTimeout(() => response.destroy(), timeMs);
      let isHeld = true;
      const release = () => {
        clearTimeout(timer);
        if (isHeld) shares.give(holder, bytes);
        isHeld = false;
      };
      response.once("finish", release);
      response.once("close", release);
      return undefined;
    },
  };
}
