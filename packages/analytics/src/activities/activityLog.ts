import { lanes, partitionOf, type ReceiptPart, sealReceipt } from "@headwater/contracts";
import { createContactactivities } from "@headwater/intake/operations/createContactactivities/createContactactivities";
import { subjectOf } from "@headwater/intake/operations/jsonSchema";
import type { AcceptedRecord } from "@headwater/intake/operations/validateItem";
import { type Placement, topicNamed } from "@headwater/topics";
import type { RoutePorts } from "../ports.ts";

const TOPIC = "intake.records";

export interface ActivityWrite {
  readonly accountId: string;
  readonly requestId: string;
  /** Milliseconds since 1970. */
  readonly receivedAtMs: number;
  /** The call carried an Idempotency-Key: the record is applied once, however often it is written. */
  readonly isKeyed: boolean;
  readonly record: AcceptedRecord;
}

export interface ActivityWritten {
  readonly id: string;
  readonly receipt: string;
  /** Positions of the activity in the log, for receipts that cover more than it. */
  readonly parts: readonly ReceiptPart[];
}

/** Writes one activity where intake writes them. Resolves when the log has it. Throws 503 with Kafka away. */
export async function writeActivity(
  { accountId, requestId, receivedAtMs, isKeyed, record }: ActivityWrite,
  { producer, secret, clock }: Pick<RoutePorts, "producer" | "secret" | "clock">,
): Promise<ActivityWritten> {
  const id = `${requestId}:0:0`;
  const { identity, members } = record;
  const text = JSON.stringify({ id, receivedAt: receivedAtMs, ...(isKeyed && { keyed: true }), ...members });
  const entry = { partition: partitionOf(identity, topicNamed(TOPIC).partitions), key: identity, text };
  const subject = subjectOf(createContactactivities);
  const placements = await producer.append({ topic: TOPIC, subject, account: accountId, entries: [entry] });
  const parts = placements.map(({ topic: _, ...at }: Placement) => ({ lane: lanes[TOPIC], ...at }));
  const receipt = sealReceipt(
    { requestId, accountId, receivedAt: receivedAtMs, ackedAt: clock.nowMs(), parts },
    secret,
  );
  return { id, parts, receipt };
}
