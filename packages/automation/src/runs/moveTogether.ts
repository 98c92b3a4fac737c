import { type Clock, classifyFailure } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { withSavepoint } from "@headwater/postgres/connection/savepoint";
import type { Transaction } from "@headwater/postgres/connection/session";
import { retryOnConflict } from "@headwater/postgres/connection/writeConflict";
import { lockRuns, type RunKey } from "./postgres.ts";
import { stepRuns, type UnitPorts, withJourneys } from "./storeUnit.ts";

export interface MovePorts extends UnitPorts {
  readonly postgres: Postgres;
  readonly clock: Clock;
}

/** Inputs of runs that one transaction gives to them together. */
export interface Together<Input> {
  /** Returns the inputs. What else is to be locked first is locked here. */
  readonly claim: (transaction: Transaction) => Promise<readonly Input[]> | readonly Input[];
  /** Gives inputs to their runs, and takes away what they came from. */
  readonly work: (transaction: Transaction, inputs: readonly Input[]) => Promise<void>;
  /** Ends the run as failed whose input breaks even alone. */
  readonly fail: (transaction: Transaction, input: Input) => Promise<void>;
  /** Takes such an input away, so that it breaks nobody again. */
  readonly takeAway: (transaction: Transaction, input: Input) => Promise<unknown>;
  /** Names the run of an input in the log. */
  readonly runOf: (input: Input) => RunKey;
  /** Stores that all of the inputs were given. */
  readonly end?: (transaction: Transaction, inputs: readonly Input[]) => Promise<void>;
}

/**
 * Gives inputs to runs in one transaction. Where that breaks, each is given under a savepoint of its own, and the run of the one that breaks alone
 * fails: it holds none of those that were claimed with it, and is not tried for ever.
 * @returns how many there were.
 */
export async function moveTogether<Input>(ports: MovePorts, together: Together<Input>): Promise<number> {
  const inOne = (work: Together<Input>["work"]) =>
    retryOnConflict(() =>
      ports.postgres.transaction(async (transaction) => {
        const inputs = await together.claim(transaction);
        if (inputs.length > 0) await work(transaction, inputs);
        await together.end?.(transaction, inputs);
        return inputs.length;
      }),
    );
  try {
    return await inOne(together.work);
  } catch (error) {
    if (classifyFailure(error) !== "poison") throw error;
    return inOne((transaction, inputs) => moveApart(transaction, inputs, { ...together, ports }));
  }
}

async function moveApart<Input>(
  transaction: Transaction,
  inputs: readonly Input[],
  { work, fail, takeAway, runOf, ports }: Together<Input> & { readonly ports: MovePorts },
): Promise<void> {
  for (const input of inputs) {
    const isGiven = await isDone(transaction, (part) => work(part, [input]), onError);
    if (isGiven) continue;
    await isDone(transaction, (part) => fail(part, input), onError);
    await takeAway(transaction, input);

    function onError(error: unknown) {
      ports.onBroken?.(runOf(input), error);
    }
  }
}

/** Runs a part under a savepoint. @returns false when it broke. */
async function isDone(
  transaction: Transaction,
  work: (part: Transaction) => Promise<void>,
  onError: (error: unknown) => void,
): Promise<boolean> {
  try {
    await withSavepoint(transaction, work);
    return true;
  } catch (error) {
    if (classifyFailure(error) !== "poison") throw error;
    onError(error);
    return false;
  }
}

/** Ends a run as failed by whose input a transaction broke. */
export function failRun(transaction: Transaction, key: RunKey, ports: MovePorts): Promise<void> {
  const nowMs = ports.clock.nowMs();
  return stepRuns(transaction, { ...ports, nowMs }, async (unit) => {
    unit.add(await withJourneys(transaction, ports, await lockRuns(transaction, [key])));
    await unit.fail(key, nowMs);
  });
}
