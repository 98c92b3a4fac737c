import type { CursorScope } from "@headwater/api/paging/cursors";
import { type Account, type ExportWatermark, INTAKE_TOPICS } from "@headwater/contracts";
import { readOutboxPosition } from "@headwater/postgres/outbox/streamWatermarks";
import { type LogEnd, offsetsOfEnds, readLogEnds } from "@headwater/postgres/streams/logEnds";
import { z } from "zod";
import type { RoutePorts } from "../ports.ts";

/** Seals and opens the tokens that `since` and `until` take. They are of one account and do not expire. */
export interface Watermarks {
  /** Takes the watermark of this instant. Rejects with 503 when Kafka or Postgres is away. */
  take(account: Account): Promise<ExportWatermark>;
  /** @returns undefined for a token that was not made here for this account. */
  open(token: string, account: Account): ExportWatermark | undefined;
}

/** Instant, outbox position, and topic number, generation, partition, next offset of each partition. */
const wire = z.tuple([z.number(), z.number(), z.array(z.tuple([z.number(), z.number(), z.number(), z.number()]))]);

export function createWatermarks({
  cursors,
  postgres,
  highWatermarks,
  clock,
}: Pick<RoutePorts, "cursors" | "postgres" | "highWatermarks" | "clock">): Watermarks {
  return {
    async take(account) {
      const asOf = clock.nowMs();
      const position = await readOutboxPosition(postgres);
      const ends = await readLogEnds(postgres, highWatermarks);
      const token = cursors.seal(scopeOf(account), [asOf, position, ends.map(positionOf)]);
      return { token, asOf, position, offsets: offsetsOfEnds(ends) };
    },
    open(token, account) {
      const opened = cursors.open(token, scopeOf(account), wire);
      if (opened === undefined) return undefined;
      const [asOf, position, positions] = opened;
      return { token, asOf, position, offsets: offsetsOfEnds(positions.flatMap(endOf)) };
    },
  };
}

function scopeOf({ number: account }: Account): CursorScope {
  return { account, list: "export watermark", direction: "asc" };
}

type Position = readonly [topic: number, generation: number, partition: number, next: number];

function positionOf({ topic, generation, partition, next }: LogEnd): Position {
  return [INTAKE_TOPICS.indexOf(topic), generation, partition, next];
}

function endOf([place, generation, partition, next]: Position): LogEnd[] {
  const topic = INTAKE_TOPICS[place];
  return topic === undefined ? [] : [{ topic, generation, partition, next }];
}
