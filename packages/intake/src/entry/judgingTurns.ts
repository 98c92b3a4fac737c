import { setImmediate as nextTurn } from "node:timers/promises";
import { createFairGate, type FairGate, runAtOnce, runInSlices, type Sliced } from "@headwater/kernel";

/** Bodies up to here are validated as they come, in well under a millisecond. */
const SMALL_BYTES = 64 * 1024;
/** An account's large bodies that may wait for their turn; what they take is charged to the budget of bodies. */
const WAITING_MAX = 2_048;
const WAIT_MS_MAX = 10_000;

/** Validates large bodies one by one. */
export interface JudgingTurns {
  /** Validates a body at once when it is small, else in slices when it is its account's turn. */
  take<Result>(account: string, bytes: number, validate: () => Sliced<Result>): Promise<Result>;
  /** Runs what follows of a body that was validated: at once when it is small, else in slices. */
  follow<Result>(bytes: number, work: Sliced<Result>): Promise<Result>;
}

/**
 * Validating takes as long as a body is large. Large ones take turns, as many bytes of one account as of another, and are validated in slices,
 * each in a turn of the loop: between two of them everything small that has come in is answered.
 */
export function createJudgingTurns(gate: FairGate = createJudgingGate()): JudgingTurns {
  return {
    async take(account, bytes, check) {
      if (bytes <= SMALL_BYTES) return runAtOnce(check());
      const validateInTurn = async () => {
        await nextTurn();
        return runInSlices(check());
      };
      return gate.run(account, validateInTurn, { cost: bytes });
    },
    async follow(bytes, work) {
      return bytes <= SMALL_BYTES ? runAtOnce(work) : runInSlices(work);
    },
  };
}

export function createJudgingGate(): FairGate {
  return createFairGate({
    what: "large bodies",
    slots: 1,
    slotsPerFlow: 1,
    waitingPerFlow: WAITING_MAX,
    waitMsMax: WAIT_MS_MAX,
    quantum: SMALL_BYTES,
  });
}
