import { type Account, partitionOf } from "@headwater/contracts";
import { redriveText, subjectOf } from "@headwater/operations";
import type { Redrive, RedrivePart } from "@headwater/stores";
import { type Codec, type PublishedMessage, type RawMessage, topicNamed } from "@headwater/topics";
import type { PassedLetter } from "./judgeLetters.ts";

interface Parts {
  readonly redrive: Redrive;
  readonly account: Account;
  readonly letter: PassedLetter;
}

/**
 * One record a message, for the original's version is the message's header. It goes where its contact's other records go, on
 * the lane it came by; so the order of a contact is the order in which letters are written.
 */
export function toMessage(codec: Pick<Codec, "frame">, { redrive, account, letter: passed }: Parts): RawMessage {
  const { letter, index, verdict } = passed;
  const { operation, source, record } = verdict;
  const stamp = { id: `${redrive.id}:${index}:0`, receivedAt: redrive.createdAt, redriveOf: letter.recordId };
  return {
    topic: letter.topic,
    partition: partitionOf(record.identity, topicNamed(letter.topic).partitions),
    key: record.identity,
    value: codec.frame(subjectOf(operation), account.id, [redriveText(stamp, source, record)]),
    headers: { version: letter.version },
  };
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
