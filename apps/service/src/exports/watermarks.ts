import { type Account, type ExportWatermark, INTAKE_TOPICS, STATE_GROUP } from "@headwater/contracts";
import { readOutboxPosition } from "@headwater/stores/outbox";
import { readOffsets } from "@headwater/stores/streams";
import { z } from "zod";
import type { CursorScope } from "../paging/cursors.ts";
import type { ServicePorts } from "../ports.ts";

/** Seals and opens the tokens that `since` and `until` take. They are of one account and do not expire. */
export interface Watermarks {
  /** Takes the watermark of this moment. Rejects with 503 when Kafka or Postgres is away. */
  take(account: Account): Promise<ExportWatermark>;
  /** @returns undefined for a token that was not made here for this account. */
  open(token: string, account: Account): ExportWatermark | undefined;
}

/** Moment, outbox position, and topic number, generation, partition, next offset of each partition. */
const wire = z.tuple([z.number(), z.number(), z.array(z.tuple([z.number(), z.number(), z.number(), z.number()]))]);

export function createWatermarks({
  cursors,
  postgres,
  highWatermarks,
  clock,
}: Pick<ServicePorts, "cursors" | "postgres" | "highWatermarks" | "clock">): Watermarks {
  return {
    async take(account) {
      const asOf = clock.nowMs();
      const position = await readOutboxPosition(postgres);
      const rows = await readOffsets(postgres, [STATE_GROUP]);
      const ends = await Promise.all(
        INTAKE_TOPICS.map(async (topic) => ({ topic, ends: await highWatermarks(topic) })),
      );
      const places = ends.flatMap(({ topic, ends: partitions }) =>
        partitions.map(({ partition, high }) => {
          const row = rows.findLast((one) => one.topic === topic && one.partition === partition);
          return [INTAKE_TOPICS.indexOf(topic), row?.generation ?? 1, partition, high] as const;
        }),
      );
      const token = cursors.seal(scopeOf(account), [asOf, position, places]);
      return { token, asOf, position, offsets: offsetsOf(places) };
    },
    open(token, account) {
      const opened = cursors.open(token, scopeOf(account), wire);
      if (opened === undefined) return undefined;
      const [asOf, position, places] = opened;
      return { token, asOf, position, offsets: offsetsOf(places) };
    },
  };
}

function scopeOf({ number: account }: Account): CursorScope {
  return { account, list: "export watermark", direction: "asc" };
}

function offsetsOf(places: readonly (readonly [number, number, number, number])[]): Record<string, number> {
  return Object.fromEntries(
    places.map(([topic, generation, partition, next]) => [
      `${INTAKE_TOPICS[topic] ?? ""}/${generation}/${partition}`,
      next,
    ]),
  );
}
