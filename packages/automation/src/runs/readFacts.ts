import {
  ACTIVITIES_TOPIC,
  type ActivityChangeEvent,
  type CartChangeEvent,
  type ContactChangeEvent,
  type MembershipChangeEvent,
  type OrderChangeEvent,
  readActivityChange,
  readChangeEvent,
} from "@headwater/contracts";
import type { Codec, LogFrame, TopicPartition } from "@headwater/topics";
import { z } from "zod";

interface OfFrame {
  /** Position of the transaction in the outbox. */
  readonly revision: number;
  /** Position in the topic: of the message, and in it. */
  readonly at: TopicPartition & { readonly offset: number; readonly place: number; readonly timeMs: number };
}

/** A change event that may move runs or start them. */
export type ReadChange = OfFrame &
  (
    | { readonly kind: "activity"; readonly value: ActivityChangeEvent }
    | { readonly kind: "contact"; readonly value: ContactChangeEvent }
    | { readonly kind: "membership"; readonly value: MembershipChangeEvent }
    | { readonly kind: "order"; readonly value: OrderChangeEvent }
    | { readonly kind: "cart"; readonly value: CartChangeEvent }
  );

/** A message or a part of one that is no change event of its topic. */
export interface Foreign {
  readonly offset: number;
  /** Index in the message; -1 = all of it. */
  readonly place: number;
  readonly timeMs: number;
  readonly value: unknown;
  readonly reason: string;
}

export interface ReadFacts {
  readonly changes: readonly ReadChange[];
  readonly foreign: readonly Foreign[];
}

const frameShape = z.looseObject({ position: z.int(), changes: z.array(z.unknown()) });
/** A whole message is in Kafka; the dead letter shows how it begins. */
const DISPLAYED_BYTES_MAX = 48 * 1024;

/** Reads the change events of messages of one topic. @throws HeadwaterError 503, retriable, when the registry must be asked and is away. */
export async function readFacts(
  { topic, partition }: TopicPartition,
  frames: readonly LogFrame[],
  codec: Pick<Codec, "decode">,
): Promise<ReadFacts> {
  const changes: ReadChange[] = [];
  const foreign: Foreign[] = [];
  for (const { value: bytes, offset, timeMs } of frames) {
    const decoded = await codec.decode(bytes, topic);
    const frame = decoded.kind === "undecodable" ? undefined : frameShape.safeParse(decoded.value).data;
    if (frame === undefined) {
      const value = bytes.toString("base64", 0, DISPLAYED_BYTES_MAX);
      const reason = decoded.kind === "undecodable" ? decoded.reason : "the message contains no changes";
      foreign.push({ offset, place: -1, timeMs, value, reason });
      continue;
    }
    for (const [place, value] of frame.changes.entries()) {
      const change = readChange(topic, value);
      if (change !== undefined)
        changes.push({ ...change, revision: frame.position, at: { topic, partition, offset, place, timeMs } });
      else foreign.push({ offset, place, timeMs, value, reason: "no change event of this topic" });
    }
  }
  return { changes, foreign };
}

function readChange(topic: string, value: unknown) {
  if (topic === ACTIVITIES_TOPIC) {
    const activity = readActivityChange(value);
    return activity && { kind: "activity" as const, value: activity };
  }
  const change = readChangeEvent(topic, value);
  return change?.kind === "record" ? undefined : change;
}
