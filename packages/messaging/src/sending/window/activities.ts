import { type Account, partitionOf, toTimestamp } from "@headwater/contracts";
import { createContactactivities } from "@headwater/intake/operations/createContactactivities/createContactactivities";
import { MESSAGE_EVENTS_SCOPE, validateItem } from "@headwater/intake/operations/validateItem";
import { newRequestId } from "@headwater/kernel";
import type { Transaction } from "@headwater/postgres/connection/session";
import { intakePayload } from "@headwater/postgres/outbox/intakePayload";
import { appendOutbox } from "@headwater/postgres/outbox/outbox";
import { takeOutboxPositions } from "@headwater/records/contacts/sequences";
import { topicNamed } from "@headwater/topics";
import { messageLimits } from "../../limits.ts";
import type { StoredSend } from "../../sends/sendRow.ts";
import type { WantedMessage } from "../messages/wantedMessage.ts";
import { mcIdOf } from "./composeSend.ts";
import type { Settlement } from "./outcome.ts";

/** An activity of a contact that reports a send. */
export interface SendActivity {
  readonly cid: string;
  readonly action: "message-sent" | "bounce" | "message-stopped";
  readonly uid: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

const TOPIC = "intake.records";
const TYPES = { b: "batch", a: "automation", o: "orchestration", t: "test" } as const;

/** Returns the activities of a resolved attempt. Tests leave none. */
export function activitiesOf(
  account: Account,
  send: StoredSend,
  { settlement: resolution, wanted }: { readonly settlement: Settlement; readonly wanted: WantedMessage },
): SendActivity[] {
  if (send.kind === "t") return [];
  const mcID = mcIdOf(account, send);
  const { isSent, bounce, settled: resolved } = resolution;
  const { channel, variant, cid } = send;
  const common = { mcID, channel, ...(variant !== null && { variant }) };
  const answer = {
    ...(resolved.code !== null && { code: resolved.code }),
    ...(resolved.text !== null && { text: resolved.text }),
  };
  const sent = {
    cid,
    action: "message-sent",
    uid: `sent:${mcID}`,
    properties: { ...common, ...factsOf(send, wanted) },
  } as const;
  const bounced = {
    cid,
    action: "bounce",
    uid: `bounce:${mcID}`,
    properties: { ...common, ...bounce, ...answer },
  } as const;
  return [...(isSent ? [sent] : []), ...(bounce === undefined ? [] : [bounced])];
}

/** Returns the activity of a send that its verdict stopped. Tests leave none. */
export function stoppedActivity(account: Account, send: StoredSend, reason: string): SendActivity[] {
  if (send.kind === "t") return [];
  const mcID = mcIdOf(account, send);
  const properties = { mcID, channel: send.channel, reason };
  return [{ cid: send.cid, action: "message-stopped", uid: `stopped:${mcID}`, properties }];
}

/** The subject is that of the message, before any value of a contact is put into it: reports show it for all. */
function factsOf(send: StoredSend, { message }: WantedMessage) {
  const { key, name, channel, classification, tags, audienceKeys, content } = message;
  const subject = content.message.headers?.subject?.slice(0, messageLimits.headerCharacters).toWellFormed();
  return {
    ...(key !== null && { messageKey: key }),
    ...(name !== "" && { messageName: name }),
    ...(subject !== undefined && { subject }),
    ...{ channelType: channel, classification, messageType: TYPES[send.kind] },
    ...(tags.length > 0 && { tags }),
    ...(audienceKeys.length > 0 && { audienceKeys }),
  };
}

/** Puts activities on their way to the log, in the transaction of what they report. The relay publishes them as intake would. */
export async function appendActivities(
  transaction: Transaction,
  account: Account,
  { activities, nowMs }: { readonly activities: readonly SendActivity[]; readonly nowMs: number },
): Promise<void> {
  const partitions = topicNamed(TOPIC).partitions;
  const records = activities.flatMap((activity) => recordsOf(activity, account, nowMs));
  const byPartition = [...Map.groupBy(records, ({ identity }) => partitionOf(identity, partitions))];
  const positions = await takeOutboxPositions(transaction, byPartition.length);
  const rows = byPartition.map(([sourcePartition, own], place) => ({
    position: positions[place] ?? 0,
    topic: TOPIC,
    sourcePartition,
    payload: intakePayload(
      account.id,
      own.map(({ text }) => text),
    ),
  }));
  await appendOutbox(transaction, rows);
}

function recordsOf({ cid, action, uid, properties }: SendActivity, account: Account, nowMs: number) {
  const event = { name: action, time: toTimestamp(nowMs), UID: uid, properties };
  const item = { contact: { identifiers: { cID: cid } }, contactactivities: [event] };
  const verdict = validateItem(createContactactivities, account, item, { nowMs, scopes: [MESSAGE_EVENTS_SCOPE] });
  if (verdict.kind === "rejected") throw new Error(`an activity of a send was refused: ${verdict.code}`);
  return verdict.records.map(({ identity, members }, index) => ({
    identity,
    text: JSON.stringify({ id: `${newRequestId()}:0:${index}`, receivedAt: nowMs, ...members }),
  }));
}
