import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { GROUP_NAMES, type PublishedIntents } from "@headwater/contracts";
import type { Session } from "@headwater/postgres/connection/session";
import { readRelayProgress, unknownPositions } from "@headwater/postgres/outbox/outbox";
import { readOffsets } from "@headwater/postgres/streams/streamOffsets";
import { readActivitiesEnds } from "./activitiesEnds.ts";
import type { LogWitness, Loss, OffsetRange, TopicEnd } from "./evidence.ts";
import { findLosses } from "./findLosses.ts";
import { unknownIntents } from "./intentMarks.ts";
import { lossesOfStores, readIdentityFacts, readKnownIdentities } from "./storeIdentity.ts";
import { readOpenRecovery } from "./storeRecoveries.ts";

const readStatement = { text: "SELECT activities_block AS block FROM store_marks WHERE id = 1" };

const setStatement = { text: "UPDATE store_marks SET activities_block = $1 WHERE id = 1" };

const NO_TRANSACTION = "0";

async function openRecovery(session: Session): Promise<Loss[]> {
  const open = await readOpenRecovery(session);
  return open === undefined ? [] : [{ kind: "recovery", epoch: open.epoch }];
}

/** Returns what Postgres has lost of the facts that Kafka knows. Kafka is asked first. */
export async function lossesSeenByLog(session: Session, log: LogWitness): Promise<Loss[]> {
  const commits = await log.commits();
  const ends = await log.publishedEnds();
  const progress = await readRelayProgress(session);
  const ranges = progress.xid === NO_TRANSACTION ? [] : rangesAbove(ends, progress.offsets);
  const published = ranges.length === 0 ? [] : await log.publishedPlaces(ranges);
  const unknown = published.length === 0 ? [] : await unknownPositions(session, published);
  const offsets = await readOffsets(session, GROUP_NAMES);
  const intents = await lastIntents(log);
  const lost = await unknownIntents(session, intents);
  const named = [...commits, ...intents.map(({ store }) => ({ store: clusterOf(store) }))];
  const { found, database } = await readIdentityFacts(session);
  return [
    ...lossesOfStores(named, await readKnownIdentities(session), `${found}/${database}`),
    ...(await openRecovery(session)),
    ...findLosses({ commits, activities: [], unknownPlaces: unknown }, offsets),
    ...(lost.length > 0 ? [{ kind: "sends", batches: lost.length } as const] : []),
  ];
}

/** The last intents of each partition: a Postgres that lost some lost the last ones. */
async function lastIntents(log: LogWitness): Promise<PublishedIntents[]> {
  const last: PublishedIntents[] = [];
  await log.intents(async (intents) => {
    last.push(...intents);
    return false;
  });
  return last;
}

function clusterOf(store: string): string {
  return store.split("/", 1)[0] ?? store;
}

/** Messages behind what the relay has marked: published twice, or published and not marked yet, or of a transaction that is lost. */
function rangesAbove(
  ends: readonly TopicEnd[],
  marked: Readonly<Record<string, Readonly<Record<string, number>>>>,
): OffsetRange[] {
  return ends.flatMap(({ topic, partition, low, end }) => {
    const from = Math.max(low, marked[topic]?.[partition] ?? 0);
    return from < end ? [{ topic, partition, from, to: end }] : [];
  });
}

/** Returns what Postgres has lost of the facts that ClickHouse holds. ClickHouse is asked first. */
export async function lossesSeenByClickHouse(session: Session, clickhouse: ClickHouse): Promise<Loss[]> {
  const { ends, block } = await readActivitiesEnds(clickhouse, await readActivitiesBlock(session));
  const offsets = await readOffsets(session, GROUP_NAMES);
  const losses = [
    ...(await openRecovery(session)),
    ...findLosses({ commits: [], activities: ends, unknownPlaces: [] }, offsets),
  ];
  if (losses.length === 0) await setActivitiesBlock(session, block);
  return losses;
}

/**
 * The block of ClickHouse's activities up to which all rows lie below the stored offsets. Only parts with newer blocks are compared with
 * claims, so that a check every two seconds costs what was written since, however large the table is.
 */
async function readActivitiesBlock(session: Session): Promise<number> {
  const [row] = await session.query<{ block: number }>(readStatement);
  if (row === undefined) throw new Error("store_marks has its row from the migration");
  return row.block;
}

async function setActivitiesBlock(session: Session, block: number): Promise<void> {
  await session.execute(setStatement, [block]);
}
