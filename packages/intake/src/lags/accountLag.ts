import { ACCOUNTING_GROUP, INTAKE_TOPICS, STATE_GROUP } from "@headwater/contracts";
import { type OpenOffset, readOffsets } from "@headwater/postgres/streams/streamOffsets";
import { readUnsettled } from "../accounting/unsettled.ts";
import type { RoutePorts } from "../ports.ts";
import type { LagPorts, PartitionLag } from "./lags.ts";

/** An account's records that have no end yet: parked ones are among them, for they are tried again. */
export interface AccountLag {
  readonly pending: number;
  /** Greatest lag of `state` in the partitions that hold them. */
  readonly seconds: number;
}

export interface Asker {
  /** The account's number. */
  readonly account: number;
  readonly signal: AbortSignal;
}

/** Frames say whose records they hold once `accounting` has counted them: usually a quarter of a second after they came. */
const COUNTED_TIMEOUT_MS = 1_000;

interface Position {
  readonly topic: string;
  readonly partition: number;
  readonly nextOffset: number;
}

/**
 * Waits until the log is counted up to where it ends now, and counts what of the account is behind `state`. When the count does not get
 * there in time, `pending` is of what is counted, and partitions with more may hold records of the account: they count for `seconds`.
 * @param readPartitions lags of all partitions.
 */
export async function readAccountLag(
  { account, signal }: Asker,
  readPartitions: () => Promise<readonly PartitionLag[]>,
  { postgres, highWatermarks, waits }: Pick<LagPorts, "postgres" | "highWatermarks"> & Pick<RoutePorts, "waits">,
): Promise<AccountLag> {
  const ends = await endsOf(highWatermarks);
  let uncounted: readonly Position[] = [];
  const isCounted = async () => {
    uncounted = behind(ends, await readOffsets(postgres, [ACCOUNTING_GROUP]));
    return uncounted.length === 0;
  };
  await waits.until(isCounted, { flow: account, timeoutMs: COUNTED_TIMEOUT_MS, signal });
  // Lags first: a partition that is drained meanwhile is shown as it was.
  const lags = await readPartitions();
  const positions = behind(ends, await readOffsets(postgres, [STATE_GROUP]));
  const unsettled = await readUnsettled(postgres, account, positions);
  const holding = [...unsettled, ...uncounted.filter((at) => positions.some((position) => isSame(at, position)))];
  const ofState = lags.filter(({ group }) => group === STATE_GROUP);
  const seconds = ofState.filter((lag) => holding.some((at) => isSame(at, lag))).map((lag) => lag.seconds);
  const pending = unsettled.reduce((sum, { records }) => sum + records, 0);
  return { pending, seconds: Math.max(0, ...seconds) };
}

async function endsOf(highWatermarks: LagPorts["highWatermarks"]): Promise<Position[]> {
  const ask = async (topic: string) =>
    (await highWatermarks(topic)).map(({ partition, high }) => ({ topic, partition, nextOffset: high }));
  return (await Promise.all(INTAKE_TOPICS.map(ask))).flat();
}

/** Returns the group's positions in the partitions that it has not read to their ends. */
function behind(ends: readonly Position[], offsets: readonly OpenOffset[]): Position[] {
  return ends.flatMap((end) => {
    const nextOffset = offsets.find((row) => isSame(row, end))?.nextOffset ?? 0;
    return nextOffset < end.nextOffset ? [{ ...end, nextOffset }] : [];
  });
}

type Partition = Pick<Position, "topic" | "partition">;

function isSame(a: Partition, b: Partition): boolean {
  return a.topic === b.topic && a.partition === b.partition;
}
