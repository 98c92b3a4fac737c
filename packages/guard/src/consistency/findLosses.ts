import { ACTIVITIES_GROUP } from "@headwater/contracts";
import type { ActivitiesEnd, Evidence, GroupCommit, Loss, PublishedPosition, StoredOffsets } from "./evidence.ts";

/**
 * Compares what is known outside of Postgres with what it stored. The evidence is to be read first: everything outside was
 * committed in Postgres before, so an equal or greater position there is the normal case at any instant.
 */
export function findLosses(evidence: Evidence, offsets: StoredOffsets): Loss[] {
  return [
    ...evidence.commits.flatMap((commit) => lossOfCommit(commit, offsets)),
    ...evidence.activities.flatMap((end) => lossOfActivities(end, offsets)),
    ...lossesOfChanges(evidence.unknownPlaces),
  ];
}

/**
 * A group without a row has not begun in this database: its commits are another's. One whose log was adopted may go on below its last
 * commit, which is of the former log. A commit that names no log was made by an operator's tool, to whatever offset it was told, and says
 * nothing: every group of ours notes its log.
 */
function lossOfCommit({ group, topic, partition, offset, generation }: GroupCommit, offsets: StoredOffsets): Loss[] {
  const rows = offsets.filter((row) => row.group === group && row.topic === topic && row.partition === partition);
  if (rows.length === 0 || generation === undefined) return [];
  if (rows.some((row) => row.generation > generation)) return [];
  const stored = rows.find((row) => row.generation === generation)?.nextOffset ?? 0;
  return offset > stored ? [{ kind: "commits", group, topic, partition, stored, seen: offset }] : [];
}

/** Rows of a range come after its claim: none may lie above the claimed range. */
function lossOfActivities({ topic, generation, partition, end }: ActivitiesEnd, offsets: StoredOffsets): Loss[] {
  const rows = offsets.filter(
    (one) => one.group === ACTIVITIES_GROUP && one.topic === topic && one.partition === partition,
  );
  // A log that was adopted goes on as a later generation: what was written of the former one stays as it is.
  if (rows.some((one) => one.generation > generation)) return [];
  const row = rows.find((one) => one.generation === generation);
  const stored = row?.pending?.to ?? row?.nextOffset ?? 0;
  return end > stored ? [{ kind: "activities", group: ACTIVITIES_GROUP, topic, partition, stored, seen: end }] : [];
}

function lossesOfChanges(positions: readonly PublishedPosition[]): Loss[] {
  const byTopic = Map.groupBy(positions, ({ topic }) => topic);
  return [...byTopic].map(([topic, events]) => ({ kind: "changes", topic, events: events.length }));
}

/** Says in one sentence what is wrong and what to do. */
export function sentenceOf(losses: readonly Loss[]): string {
  const first = losses.find(isOfIdentity) ?? losses[0];
  if (first === undefined) return "Postgres holds everything that others have seen of it.";
  if (isOfIdentity(first))
    return `${whatOf(first)}. Reads and writes stay off until \`headwater stores adopt postgres\` has run.`;
  const more = losses.length > 1 ? ` (and ${losses.length - 1} more findings)` : "";
  return `Postgres has lost its last transactions: ${whatOf(first)}${more}. Reads and writes stay off until \`headwater stores recover\` has run.`;
}

/** Another cluster is adopted before anything else is recovered. */
export function isOfIdentity({ kind }: Loss): boolean {
  return kind === "identity" || kind === "transactions";
}

function whatOf(loss: Loss): string {
  switch (loss.kind) {
    case "identity":
      return `Postgres is another cluster or database than the one that wrote its data: it is ${loss.found}, and others name ${loss.known}`;
    case "transactions":
      return `The transaction numbers of Postgres have fallen: the next one is ${loss.counted}, and the outbox names ${loss.marked}`;
    case "commits":
      return `group ${loss.group} has committed offset ${loss.seen} of ${loss.topic}/${loss.partition} to Kafka, and Postgres stores ${loss.stored}`;
    case "activities":
      return `ClickHouse holds activities of ${loss.topic}/${loss.partition} below offset ${loss.seen}, and Postgres knows of those below ${loss.stored}`;
    case "changes":
      return `${loss.topic} holds ${loss.events} change events that Postgres does not know`;
    case "sends":
      return `sends.intents holds ${loss.batches} batches of sends that Postgres does not know`;
    case "recovery":
      return `recovery ${loss.epoch} was begun and not ended`;
  }
}
