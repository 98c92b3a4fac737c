import type { World } from "../world/world.ts";

interface NextOffset {
  readonly topic: string;
  readonly partition: number;
  readonly nextOffset: number;
}

/** Asks for no more than every commit that is compared has: `readOffsets` asks for columns that came later. */
const text = `SELECT topic, partition, next_offset AS "nextOffset" FROM stream_offsets WHERE grp = $1`;

/** Reads how far a group is in the partitions of its topics. */
export function readNextOffsets({ postgres }: Pick<World, "postgres">, group: string): Promise<readonly NextOffset[]> {
  return postgres.query<NextOffset>({ text }, [group]);
}
