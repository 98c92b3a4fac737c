import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { isSchemaFault } from "@headwater/clickhouse/failures";
import { type Clock, classifyFailure, HeadwaterError, type Logger } from "@headwater/kernel";
import type { OffsetKey, OpenOffset, PendingRange } from "@headwater/postgres/streams/streamOffsets";
import type { BatchContext, LogFrame } from "@headwater/topics";
import { findPoison } from "../quarantine/findPoison.ts";
import type { Poison } from "../quarantine/quarantine.ts";
import { reportPoison, suspectsSystem } from "../quarantine/report.ts";
import type { SinkRanges } from "./ranges.ts";
import { PoisonRange, RangeGone, type Sink, type SinkBlock, type SinkItem } from "./sink.ts";
import { toBlocks } from "./toBlocks.ts";

export type Trials = Pick<ClickHouse, "insertBlock" | "command">;

/** Progress of an attempt to write a range. */
export interface Attempt {
  /** Empty until it is known which frames it is about. */
  frames: readonly LogFrame[];
  /** The claim that is in Postgres, as far as this process knows. */
  pending: PendingRange | null;
}

export interface RangeQuarantining {
  readonly sink: Sink;
  readonly ranges: SinkRanges;
  readonly trials?: Trials | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly newToken: () => string;
  readonly onQuarantined?: (records: number) => void;
}

export interface FailedRange {
  readonly key: OffsetKey;
  readonly row: OpenOffset;
  readonly attempt: Attempt;
  readonly context: BatchContext;
  readonly error: unknown;
}

/**
 * Bisects what failed to its poison and quarantines that, in one transaction with the claim of the range: from then on every
 * owner makes its blocks without it. The claim's token stays as it is: the block with the poison was refused and can never be
 * stored under it, the next block can, and then the range is counted as any that was found pending.
 * @throws the error when it is not about any record; a HeadwaterError when it is suspected to be about all of them.
 */
export async function quarantineRange(options: RangeQuarantining, failed: FailedRange): Promise<void> {
  const { error, attempt, key } = failed;
  if (error instanceof RangeGone || classifyFailure(error) !== "poison" || attempt.frames.length === 0) throw error;
  const { poison, accounts } = error instanceof PoisonRange ? error : await findRefused(options, failed);
  if (poison.length === 0) throw error;
  const hit = poison.map(({ letter: deadLetter }) => deadLetter.account);
  suspectsSystem({ group: options.sink.group, accounts, poison: hit, cause: error });
  const fresh = await storeQuarantine(options, failed, poison);
  reportPoison(options, key, fresh);
}

/** @returns none when another owner has moved on meanwhile. */
async function storeQuarantine(
  { ranges, sink, clock, newToken }: RangeQuarantining,
  { key, row, attempt }: FailedRange,
  poison: readonly Poison[],
): Promise<readonly Poison[]> {
  const to = (attempt.frames[attempt.frames.length - 1]?.offset ?? 0) + 1;
  return ranges.quarantine(key, {
    nextOffset: row.nextOffset,
    token: attempt.pending?.token,
    claim: { to, token: newToken(), attempt: 0, transform: sink.transform, shared: false },
    poison,
    nowMs: clock.nowMs(),
    wereApplied: sink.isCounted,
  });
}

/** Finds what ClickHouse refuses of a range, in tables that keep nothing. */
async function findRefused(options: RangeQuarantining, { key, attempt, context, error }: FailedRange) {
  const { sink, trials, newToken } = options;
  if (isSchemaFault(error)) throw otherTables(error);
  if (trials === undefined) throw error;
  const items = await sink.read(key, attempt.frames);
  const tables = openTrialTables(trials, newToken);
  try {
    const refused = await findPoison<SinkItem>(items, (tried) => {
      context.heartbeat();
      return tables.refuses(toBlocks(sink, tried));
    });
    const poison = refused.map((item) => ({ offset: item.offset, place: item.place, letter: item.letter(), error }));
    return { poison, accounts: items.map(({ account }) => account) };
  } finally {
    await tables.close();
  }
}

function otherTables(cause: unknown): HeadwaterError {
  const publicMessage = "The ClickHouse schema or grants do not match what this process writes.";
  return new HeadwaterError({ code: "INTERNAL_ERROR", status: 500, publicMessage, cause });
}

/** Tables in which blocks are tried: tables of the same columns and constraints that keep nothing. */
interface TrialTables {
  /** @returns whether ClickHouse refuses any of the blocks for what it holds. */
  refuses(blocks: readonly SinkBlock[]): Promise<boolean>;
  close(): Promise<void>;
}

/** Makes a table for each that is tried; they are dropped at the end, and hold nothing when the process is killed before. */
function openTrialTables(clickhouse: Pick<ClickHouse, "insertBlock" | "command">, newToken: () => string): TrialTables {
  const created = new Map<string, string>();
  const tableOf = async (table: string): Promise<string> => {
    const known = created.get(table);
    if (known !== undefined) return known;
    const name = `trial_${table}_${newToken().replaceAll("-", "")}`;
    await clickhouse.command(`CREATE TABLE ${name} AS ${table} ENGINE = Null`);
    created.set(table, name);
    return name;
  };
  return {
    async refuses(blocks) {
      for (const { table, columns, body } of blocks) {
        const trial = await tableOf(table);
        try {
          await clickhouse.insertBlock({ table: trial, columns, body, token: newToken() });
        } catch (error) {
          if (classifyFailure(error) !== "poison" || isSchemaFault(error)) throw error;
          return true;
        }
      }
      return false;
    },
    async close() {
      for (const name of created.values()) await clickhouse.command(`DROP TABLE IF EXISTS ${name}`);
    },
  };
}
