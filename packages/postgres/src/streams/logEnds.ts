import { INTAKE_TOPICS, STATE_GROUP } from "@headwater/contracts";
import type { Session } from "../connection/session.ts";
import { readOffsets } from "./streamOffsets.ts";

/** Asks Kafka for the end of each partition of a topic. Rejects with a retriable 503 when it is away. */
export type HighWatermarks = (
  topic: string,
) => Promise<readonly { readonly partition: number; readonly high: number }[]>;

/** Position in an intake topic: what was acknowledged before it was read lies below `next`. */
export interface LogEnd {
  readonly topic: (typeof INTAKE_TOPICS)[number];
  readonly generation: number;
  readonly partition: number;
  readonly next: number;
}

/** Reads the ends of the intake topics as they are now. */
export async function readLogEnds(session: Session, highWatermarks: HighWatermarks): Promise<LogEnd[]> {
  const rows = await readOffsets(session, [STATE_GROUP]);
  const ends = await Promise.all(INTAKE_TOPICS.map(async (topic) => ({ topic, ends: await highWatermarks(topic) })));
  return ends.flatMap(({ topic, ends: partitions }) =>
    partitions.map(({ partition, high: next }) => {
      const row = rows.findLast((one) => one.topic === topic && one.partition === partition);
      return { topic, generation: row?.generation ?? 1, partition, next };
    }),
  );
}

/** Returns ends as offsets by `topic/generation/partition`. */
export function offsetsOfEnds(ends: readonly LogEnd[]): Record<string, number> {
  return Object.fromEntries(
    ends.map(({ topic, generation, partition, next }) => [`${topic}/${generation}/${partition}`, next]),
  );
}
