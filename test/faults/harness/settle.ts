import { topology } from "@headwater/contracts";
import { readOffsets } from "@headwater/postgres/streams/streamOffsets";
import { logEnds } from "./readLog.ts";
import type { Ground } from "./services.ts";
import { until } from "./until.ts";

const TIMEOUT_MS = 240_000;
/** Groups whose results are compared. */
const READERS = topology.filter(({ group }) => !["products", "accounting", "automation"].includes(group));

/** Waits until all that is in the log is applied, nothing is parked or on its way, and both stores have everything. */
export async function settle(ground: Ground, timeoutMs: number = TIMEOUT_MS): Promise<void> {
  let quietChecks = 0;
  const check = async () => {
    const missing = (await unread(ground)) ?? (await underWay(ground));
    quietChecks = missing === undefined ? quietChecks + 1 : 0;
    if (missing !== undefined) return missing;
    // What was seen piece by piece holds together only when it is seen twice.
    return quietChecks >= 2 ? undefined : "one more look";
  };
  await until(check, { timeoutMs, everyMs: 500 });
}

async function unread({ services, postgres }: Ground): Promise<string | undefined> {
  const offsets = await readOffsets(
    postgres,
    READERS.map(({ group }) => group),
  );
  for (const { group, reads } of READERS) {
    for (const topic of reads) {
      for (const [partition, end] of await logEnds(services.kafkaBrokers, topic)) {
        const row = offsets.find((one) => one.group === group && one.topic === topic && one.partition === partition);
        const next = row?.nextOffset ?? 0;
        if (next < end) return `${group} is at ${next} of ${end} in ${topic}/${partition}`;
        if (row?.pending) return `${group} has a range pending in ${topic}/${partition}`;
      }
    }
  }
  return undefined;
}

interface UnderWay {
  readonly parked: number;
  readonly outbox: number;
  readonly handover: number;
}

async function underWay({ postgres }: Ground): Promise<string | undefined> {
  const [row] = await postgres.query<UnderWay>({
    text: `SELECT (SELECT count(*) FROM rejects WHERE status = 'parked') AS parked, (SELECT count(*) FROM outbox) AS outbox,
      (SELECT count(*) FROM handover h JOIN stream_offsets o
        ON (o.grp, o.topic, o.generation, o.partition) = ('activities', h.topic, h.generation, h.partition)
        WHERE h.next_offset > o.next_offset) AS handover`,
  });
  const { parked, outbox, handover } = row ?? { parked: 0, outbox: 0, handover: 0 };
  return parked + outbox + handover === 0 ? undefined : JSON.stringify(row);
}
