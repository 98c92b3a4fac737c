import { randomUUID } from "node:crypto";
import {
  ACTIVITIES_TOPIC,
  CHANGE_TOPICS,
  DEAD_LETTERS_TOPIC,
  INTENTS_TOPIC,
  kafkaGroupOf,
  type PublishedIntents,
  readIntents,
  topology,
} from "@headwater/contracts";
import type { Logger } from "@headwater/kernel";
import { createTopicAdmin, type TopicAdmin } from "../catalogue/topicAdmin.ts";
import { createLogReader, type LogReader } from "../kafka/logReader.ts";
import type { KafkaAccess } from "../security/kafkaAccess.ts";
import { type LogMessage, type MessageRange, readMessages } from "./readMessages.ts";

export interface LogWitnessOptions extends KafkaAccess {
  readonly clientId: string;
  readonly logger: Logger;
  /** Bound of one question; default 10 s. */
  readonly timeoutMs?: number;
}

const PUBLISHED_TOPICS = [...CHANGE_TOPICS, ACTIVITIES_TOPIC, DEAD_LETTERS_TOPIC] as const;
/** Messages among which all that was published behind the last mark of the relay ends: it publishes 32 at a time. */
const MESSAGES_MAX = 1_000;

/** More than senders publish at the same time, so that the last intents that were committed are among them. */
const INTENTS_AT_A_TIME = 500;
const INTENTS_FETCH_BYTES = 4 * 1024 * 1024;

/** Names the header in which the relay says a message's position in the outbox: `<transaction>/<position>`. */
export const OUTBOX_POSITION_HEADER = "place";

/** The magic byte and the schema's id stand before the JSON text. */
const WIRE_HEADER_BYTES = 5;
const READ_TIMEOUT_MS = 30 * 60_000;
const GROUP_IDS = topology.map(({ group }) => kafkaGroupOf(group));

interface PublishedPosition {
  readonly topic: string;
  /** Decimal text of the transaction's 64-bit number. */
  readonly xid: string;
  readonly position: number;
}

export interface PublishedMessageAt extends PublishedPosition {
  /** JSON text. */
  readonly value: Buffer;
}

export type LogWitness = ReturnType<typeof createLogWitness>;

/** Reads what Kafka knows of the store that the groups keep their offsets in. Throws a retriable HeadwaterError while Kafka is away. */
export function createLogWitness(options: LogWitnessOptions) {
  const timeoutMs = options.timeoutMs ?? 10_000;
  const withAdmin = async <Result>(ask: (admin: TopicAdmin) => Promise<Result>): Promise<Result> => {
    const admin = createTopicAdmin({ ...options, timeoutMs });
    try {
      return await ask(admin);
    } finally {
      await admin.close();
    }
  };
  const read = (ranges: readonly MessageRange[], boundMs: number, onMessage: (message: LogMessage) => void) => {
    const groupId = `headwater.store-check.${randomUUID()}`;
    return readMessages({ ...options, groupId, timeoutMs: boundMs }, ranges, onMessage);
  };
  return {
    commits: () => withAdmin(readCommits),
    publishedEnds: () => withAdmin(readEnds),
    async publishedPlaces(ranges: readonly MessageRange[]) {
      const last = ranges.map((range) => ({ ...range, from: Math.max(range.from, range.to - MESSAGES_MAX) }));
      const found: PublishedPosition[] = [];
      await read(last, 3 * timeoutMs, (message) => found.push(...outboxPositionOf(message)));
      return found;
    },
    /** Reads the published messages of the ranges, each with its position in the outbox: those of older versions have none. */
    async publishedMessages(ranges: readonly MessageRange[], onMessage: (published: PublishedMessageAt) => void) {
      await read(ranges, READ_TIMEOUT_MS, (message) => {
        const [place] = outboxPositionOf(message);
        if (place !== undefined) onMessage({ ...place, value: message.value.subarray(WIRE_HEADER_BYTES) });
      });
    },
    /**
     * Reads the published intents of each partition from its end backwards, `INTENTS_AT_A_TIME` messages at a time, as long as the visitor
     * asks for more.
     */
    async intents(visit: (intents: readonly PublishedIntents[]) => Promise<boolean>): Promise<void> {
      const ends = await withAdmin((admin) => admin.watermarks(INTENTS_TOPIC));
      const reader = createLogReader({ ...options, timeoutMs });
      try {
        for (const { partition, low, high } of ends) await readBackwards(reader, { partition, low, high }, visit);
      } finally {
        await reader.close();
      }
    },
    /** Forgets the commits of all groups, which are for displays only. @throws while a member of one of them is alive. */
    forgetCommits: () => withAdmin((admin) => admin.forgetGroups(GROUP_IDS)),
  };
}

/** Commits above a topic's end are of a log that lost its tail: they say nothing of the store. */
async function readCommits(admin: TopicAdmin) {
  const endOf = new Map<string, number>();
  for (const topic of new Set(topology.flatMap(({ reads }) => [...reads]))) {
    for (const { partition, high } of await admin.watermarks(topic)) endOf.set(`${topic}/${partition}`, high);
  }
  const answers = await Promise.all(
    topology.map(async ({ group, reads }) => {
      const committed = await admin.committed(kafkaGroupOf(group), reads);
      return committed
        .filter(({ topic, partition, offset }) => offset <= (endOf.get(`${topic}/${partition}`) ?? 0))
        .map((commit) => ({ group, ...commit }));
    }),
  );
  return answers.flat();
}

interface IntentsRange {
  readonly partition: number;
  readonly low: number;
  readonly high: number;
}

async function readBackwards(
  reader: LogReader,
  { partition, low, high }: IntentsRange,
  visit: (intents: readonly PublishedIntents[]) => Promise<boolean>,
): Promise<void> {
  for (let to = high; to > low; ) {
    const from = Math.max(low, to - INTENTS_AT_A_TIME);
    if (!(await visit(await readRange(reader, { partition, low: from, high: to })))) return;
    to = from;
  }
}

async function readRange(reader: LogReader, { partition, low, high }: IntentsRange): Promise<PublishedIntents[]> {
  const found: PublishedIntents[] = [];
  for (let offset = low; offset < high; ) {
    const frames = await reader.frames({ topic: INTENTS_TOPIC, partition, offset }, INTENTS_FETCH_BYTES);
    const last = frames.at(-1);
    if (last === undefined) break;
    for (const frame of frames) {
      const intents = frame.offset < high ? readIntents(frame.value) : undefined;
      if (intents !== undefined) found.push(intents);
    }
    offset = last.offset + 1;
  }
  return found;
}

async function readEnds(admin: TopicAdmin) {
  const answers = await Promise.all(
    PUBLISHED_TOPICS.map(async (topic) => {
      const watermarks = await admin.watermarks(topic);
      return watermarks.map(({ partition, low, high }) => ({ topic, partition, low, end: high }));
    }),
  );
  return answers.flat();
}

function outboxPositionOf({ topic, headers }: LogMessage): PublishedPosition[] {
  const place = headers[OUTBOX_POSITION_HEADER]?.split("/");
  const [xid, position] = place ?? [];
  return xid === undefined || position === undefined ? [] : [{ topic, xid, position: Number(position) }];
}
