import { type Account, partitionOf } from "@headwater/contracts";
import { type Codec, expectPublishable, type PublishedMessage, type RawMessage, topicNamed } from "@headwater/topics";
import type { DeadLetter } from "../deadLetters/deadLetters.ts";
import type { Redrive, RedrivePart } from "../deadLetters/redrives.ts";
import { subjectOf } from "../operations/jsonSchema.ts";
import { redriveText } from "../operations/redrive.ts";
import type { AcceptedRecord } from "../operations/validateItem.ts";
import type { PassedDeadLetter } from "./validateDeadLetters.ts";

interface Parts {
  readonly redrive: Redrive;
  readonly account: Account;
  readonly letter: PassedDeadLetter;
}

/**
 * One record a message, for the original's version is the message's header. It goes where its contact's other records go, on
 * the stream it came by; so the order of a contact is the order in which dead letters are written.
 */
export function toMessage(codec: Pick<Codec, "frame">, { redrive, account, letter: passed }: Parts): RawMessage {
  const { letter: deadLetter, index, verdict } = passed;
  const { operation, source, record } = verdict;
  const stamp = { id: `${redrive.id}:${index}:0`, receivedAt: redrive.createdAt, redriveOf: deadLetter.recordId };
  const value = codec.frame(subjectOf(operation), account.id, [
    redriveText(stamp, source, withoutApplied(deadLetter, record)),
  ]);
  expectPublishable(deadLetter.topic, value);
  return {
    topic: deadLetter.topic,
    partition: partitionOf(record.identity, topicNamed(deadLetter.topic).partitions),
    key: record.identity,
    value,
    headers: { version: deadLetter.version },
  };
}

/**
 * Leaves out what was applied already. The contact's part of an activity that was quarantined behind the state was: what is written again only names
 * the contact, and neither makes nor changes one.
 */
function withoutApplied({ quarantinedBy = null }: DeadLetter, record: AcceptedRecord): AcceptedRecord {
  const { contact } = record.members;
  if (quarantinedBy === null || typeof contact !== "object" || contact === null) return record;
  const named = ["identifiers", "identifiersPriority"].flatMap((name) => {
    const value: unknown = Reflect.get(contact, name);
    return value === undefined ? [] : [[name, value]];
  });
  return { ...record, members: { ...record.members, contact: Object.fromEntries(named) } };
}

/** Adds where records were written to what the redrive's receipt will name. */
export function addParts(parts: readonly RedrivePart[], published: readonly PublishedMessage[]): RedrivePart[] {
  const sums = new Map(parts.map((part) => [`${part.topic}/${part.partition}`, part]));
  for (const { topic, partition, offset } of published) {
    const key = `${topic}/${partition}`;
    const part = sums.get(key) ?? { topic, partition, firstOffset: offset, lastOffset: offset, count: 0 };
    sums.set(key, {
      ...part,
      firstOffset: Math.min(part.firstOffset, offset),
      lastOffset: Math.max(part.lastOffset, offset),
      count: part.count + 1,
    });
  }
  return [...sums.values()];
}
