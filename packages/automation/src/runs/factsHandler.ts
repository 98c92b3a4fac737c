import { AUTOMATION_GROUP } from "@headwater/contracts";
import { readWithdrawnRanges } from "@headwater/guard/consistency/storeRecoveries";
import { applyByHalves, type HalvedRun } from "@headwater/intake/quarantine/applyByHalves";
import { changeDeadLetter } from "@headwater/intake/quarantine/changeDeadLetter";
import { type Poison, quarantine } from "@headwater/intake/quarantine/quarantine";
import { reportPoison, suspectsSystem } from "@headwater/intake/quarantine/report";
import { createWithoutWithdrawn } from "@headwater/intake/sink/withdrawnFrames";
import { createGroupOffsets, holdsOf, markToStore, reopened, storedMark } from "@headwater/intake/streams/offsets";
import { type Clock, classifyFailure, type Logger } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { withSavepoint } from "@headwater/postgres/connection/savepoint";
import type { Transaction } from "@headwater/postgres/connection/session";
import { retryOnConflict } from "@headwater/postgres/connection/writeConflict";
import { lockOffset, type OffsetKey, openOffset, setOffset } from "@headwater/postgres/streams/streamOffsets";
import type { BatchContext, Codec, NextPosition, StreamBatch, StreamHandler } from "@headwater/topics";
import { publishChanges } from "../webhooks/publishChanges.ts";
import { applyChanges } from "./applyChanges.ts";
import { type Foreign, type ReadChange, readFacts } from "./readFacts.ts";
import { stepRuns, type UnitPorts } from "./storeUnit.ts";

export interface FactsHandlerOptions extends UnitPorts {
  readonly postgres: Postgres;
  readonly codec: Pick<Codec, "decode">;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onQuarantined?: (changes: number) => void;
}

/**
 * Gives the facts of the change topics to runs, and begins those that they start. A batch is one transaction with the group's own offset, so each
 * fact is given once; one that was published twice is known to its runs by its position.
 */
export function createFactsHandler(options: FactsHandlerOptions): StreamHandler {
  const { postgres } = options;
  const offsets = createGroupOffsets(postgres, AUTOMATION_GROUP);
  const withoutWithdrawn = createWithoutWithdrawn(() => readWithdrawnRanges(postgres));
  return reopened({
    start: async (at) => {
      const row = await openOffset(postgres, await offsets.open(at), at.low);
      return { fromOffset: row.nextOffset, mark: storedMark(row), generation: row.generation };
    },
    ...holdsOf(postgres, offsets.keyOf),
    batch: async (batch, context) => {
      const frames = await withoutWithdrawn(batch, batch.frames);
      const key = offsets.keyOf(batch);
      const read = await readFacts(batch, frames, options.codec);
      const whole = {
        key,
        batch,
        context,
        changes: read.changes,
        foreign: read.foreign.map((one) => toPoison(key, one)),
      };
      try {
        return await store(options, whole, false);
      } catch (error) {
        if (classifyFailure(error) !== "poison") throw error;
        return store(options, whole, true);
      }
    },
  });
}

interface Step {
  readonly key: OffsetKey;
  readonly batch: StreamBatch;
  readonly context: BatchContext;
  readonly changes: readonly ReadChange[];
  readonly foreign: readonly Poison[];
}

/** @param isApart true after the batch broke: its changes are applied under savepoints, and one that breaks alone is quarantined. */
async function store(options: FactsHandlerOptions, step: Step, isApart: boolean): Promise<NextPosition> {
  const { key, batch, changes, foreign } = step;
  const [first, nextOffset] = [batch.frames[0]?.offset, (batch.frames.at(-1)?.offset ?? 0) + 1];
  const nowMs = options.clock.nowMs();
  const result = await retryOnConflict(() =>
    options.postgres.transaction(async (transaction) => {
      const stored = await lockOffset(transaction, key);
      if (stored.nextOffset !== first) return { kind: "elsewhere", nextOffset: stored.nextOffset } as const;
      const ports = { ...options, nowMs };
      const refused = isApart
        ? await applyApart(transaction, step, ports)
        : await applyAll(transaction, changes, ports);
      const poison = await quarantine(transaction, key, [...foreign, ...refused], { nowMs });
      const greatestTime = Math.max(stored.greatestTime, batch.frames.at(-1)?.timeMs ?? 0);
      const mark = markToStore(batch.frames, nextOffset);
      await setOffset(transaction, key, { ...stored, nextOffset, greatestTime, windowFrom: nextOffset, mark });
      return { kind: "stored", poison } as const;
    }),
  );
  if (result.kind === "elsewhere") return { kind: "seek", offset: result.nextOffset };
  reportPoison(options, key, result.poison);
  return { kind: "next", offset: nextOffset };
}

type Ports = FactsHandlerOptions & { readonly nowMs: number };

async function applyAll(
  transaction: Transaction,
  changes: readonly ReadChange[],
  ports: Ports,
): Promise<readonly Poison[]> {
  await stepRuns(transaction, ports, async (unit) => {
    await applyChanges(transaction, unit, changes, ports);
  });
  await publishChanges(transaction, changes, ports.nowMs);
  return [];
}

async function applyApart(
  transaction: Transaction,
  { key, changes, context }: Step,
  ports: Ports,
): Promise<readonly Poison[]> {
  const refused: ReadChange[] = [];
  const deadLetters: Poison[] = [];
  const run: HalvedRun = {
    apply: async ({ from, to, isRefused }) => {
      context.heartbeat();
      if (!isRefused) await withSavepoint(transaction, (part) => applyAll(part, changes.slice(from, to), ports));
    },
    isPoison: (error) => classifyFailure(error) === "poison",
    refused: (index, error) => {
      const change = changes[index];
      if (change === undefined) return;
      refused.push(change);
      const { offset, place, timeMs } = change.at;
      deadLetters.push({
        offset,
        place,
        letter: changeDeadLetter(key, { offset, place, timeMs, value: change.value }),
        error,
      });
      const accounts = changes.map(({ value }) => value.account);
      const poison = refused.map(({ value }) => value.account);
      suspectsSystem({ group: AUTOMATION_GROUP, accounts, poison, cause: error });
    },
  };
  await applyByHalves(run, changes.length, Math.max(1, changes.length >> 1));
  return deadLetters;
}

function toPoison(key: OffsetKey, { reason, ...at }: Foreign): Poison {
  return { offset: at.offset, place: at.place, letter: changeDeadLetter(key, at), error: new TypeError(reason) };
}
