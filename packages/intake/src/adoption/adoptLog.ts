import { ACTIVITIES_GROUP, HISTORY_GROUP, STATE_GROUP } from "@headwater/contracts";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import type { Adoption } from "./adoption.ts";
import { addLost, type LostCount, moveCounts } from "./lostCounts.ts";

export interface AdoptedPartition {
  readonly records: number;
  readonly activities: number;
  readonly lost: readonly LostCount[];
}

const lockStatement = {
  name: "adopt_lock",
  text: `SELECT grp AS "group", next_offset AS "nextOffset", generation FROM stream_offsets WHERE topic = $1 AND partition = $2
    ORDER BY grp FOR UPDATE`,
};
/** Later versions of the partition stay above earlier ones, whatever the broker's clock says. */
const moveStatement = {
  name: "adopt_move",
  text: `UPDATE stream_offsets SET generation = $4, next_offset = $5, marked_offset = $8, resolutions_from = LEAST(resolutions_from, $5), window_from = LEAST(window_from, $5), last_record_id = NULL,
      greatest_time = greatest_time + 1, last_print = $6, last_epoch = $7, held_since = NULL, held_why = NULL, pending_to = NULL,
      pending_token = NULL, pending_attempt = NULL, pending_transform = NULL, pending_shared = false, updated_at = now()
    WHERE grp = $1 AND topic = $2 AND partition = $3`,
};
const passedResolutionsStatement = {
  name: "adopt_resolutions_passed",
  text: `SELECT first_offset AS "firstOffset", verdicts AS resolutions FROM handover
    WHERE topic = $1 AND partition = $2 AND next_offset > $3 ORDER BY first_offset`,
};
const deleteResolutionsStatement = {
  name: "adopt_resolutions_drop",
  text: "DELETE FROM handover WHERE topic = $1 AND partition = $2 AND first_offset >= $3",
};
const keepResolutionsStatement = {
  name: "adopt_resolutions_keep",
  text: `UPDATE handover SET generation = $4, next_offset = LEAST(next_offset, $3) WHERE topic = $1 AND partition = $2`,
};
const lossStatement = {
  name: "adopt_loss",
  text: `INSERT INTO losses (topic, partition, generation, first_offset, applied_to, lost_from, lost_to, starts_at, records, activities, reason)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
};

/** A mark that has moved since the plan was made is of the adopted log: the relay has published there. */
const movePublishedStatement = {
  name: "adopt_published",
  text: `UPDATE relay_progress SET offsets = jsonb_set(offsets::jsonb, ARRAY[$1, $2], to_jsonb($4::bigint))::json
    WHERE id = 1 AND (offsets -> $1 ->> $2)::bigint = $3::bigint`,
};

/** Error that the plan's premises have changed since it was made. */
export class AdoptionStale extends Error {}

/**
 * Makes all groups go on at the log as it is, in one transaction: what was applied stays applied, what the log lost before is counted as
 * lost, and what it holds from `firstOffset` on is read as a new generation, so that a position that is given a second time is another one.
 * @throws AdoptionStale when a group has moved since the plan was made.
 */
export async function adoptPartition(
  transaction: Transaction,
  adoption: Adoption,
  reason: string,
): Promise<AdoptedPartition> {
  const { topic, partition, generation, firstOffset, groups } = adoption;
  const rows = await transaction.query<{ group: string; nextOffset: number; generation: number }>(lockStatement, [
    topic,
    partition,
  ]);
  const isSame = rows.every(
    (row) =>
      row.generation < generation && groups.some(({ group, from }) => group === row.group && from === row.nextOffset),
  );
  if (!isSame || rows.length !== groups.length) throw new AdoptionStale(`${topic}/${partition} has moved`);
  const lost = await moveCounts(transaction, adoption);
  await addLost(transaction, adoption, lost);
  const activities = await countLostActivities(transaction, adoption);
  await adoptResolutions(transaction, adoption);
  for (const { group, to, mark } of groups) {
    // ClickHouse cannot confirm an offset that was never written: it is refused until it was rebuilt from what Postgres holds.
    const marked = adoption.isHistoryLost === true && group === HISTORY_GROUP ? Math.max(to, 1) : 0;
    await transaction.execute(moveStatement, [
      group,
      topic,
      partition,
      generation,
      to,
      mark?.print ?? null,
      mark?.epoch ?? null,
      marked,
    ]);
  }
  const { published } = adoption;
  if (published !== undefined) {
    const moved = [topic, String(partition), published.from, published.to];
    await transaction.execute(movePublishedStatement, moved);
  }
  const records = lost.reduce((sum, row) => sum + row.records, 0);
  const applied = groups.find(({ group }) => group === STATE_GROUP)?.from ?? firstOffset;
  const lostFrom = adoption.kind === "retention" ? applied : Math.max(applied, firstOffset);
  const lostTo = adoption.kind === "retention" ? firstOffset : null;
  const positions = [topic, partition, generation, firstOffset, applied, lostFrom, lostTo, adoption.startsAt];
  await transaction.execute(lossStatement, [...positions, records, activities, reason]);
  return { records, activities, lost };
}

/** Counts activities of the former log that were applied and that ClickHouse can no longer be given. */
export async function countLostActivities(
  session: Session,
  { topic, partition, firstOffset, groups }: Pick<Adoption, "topic" | "partition" | "firstOffset" | "groups">,
): Promise<number> {
  const written = groups.find(({ group }) => group === ACTIVITIES_GROUP)?.from ?? 0;
  const from = Math.max(firstOffset, written);
  const passed = await session.query<{ firstOffset: number; resolutions: Buffer }>(passedResolutionsStatement, [
    topic,
    partition,
    from,
  ]);
  return passed.reduce((sum, row) => sum + countResolved(row, from), 0);
}

async function adoptResolutions(
  transaction: Transaction,
  { topic, partition, generation, firstOffset }: Adoption,
): Promise<void> {
  await transaction.execute(deleteResolutionsStatement, [topic, partition, firstOffset]);
  await transaction.execute(keepResolutionsStatement, [topic, partition, firstOffset, generation]);
}

const BYTES = 8;

/** Counts the resolutions from an offset on that name a contact. Frame by frame: its offset and count in 4 bytes each, then 8 a record. */
function countResolved(row: { readonly firstOffset: number; readonly resolutions: Buffer }, from: number): number {
  let resolved = 0;
  for (let at = 0; at < row.resolutions.length; ) {
    const count = row.resolutions.readUInt32LE(at + BYTES / 2);
    const isBehind = row.firstOffset + row.resolutions.readUInt32LE(at) >= from;
    for (let index = 1; index <= count && isBehind; index++) {
      if (row.resolutions.readBigUInt64LE(at + index * BYTES) > 0n) resolved++;
    }
    at += (1 + count) * BYTES;
  }
  return resolved;
}
