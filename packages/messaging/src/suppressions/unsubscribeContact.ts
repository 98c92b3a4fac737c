import { toActivityRecord } from "@headwater/analytics/activities/activityItem";
import { writeActivity } from "@headwater/analytics/activities/activityLog";
import { successExample, successShape } from "@headwater/api/answers/success";
import type { OnceCall } from "@headwater/api/idempotency/runOnce";
import { storableText } from "@headwater/api/paging/query";
import type { WritePorts } from "@headwater/api/ports";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { canonicalChannel, type ReceiptPart } from "@headwater/contracts";
import { type Answer, type Route, refusal } from "@headwater/http";
import { MESSAGE_EVENTS_SCOPE } from "@headwater/intake/operations/validateItem";
import { contactByKey, nobody } from "@headwater/records/contacts/findInState";
import { writeContact } from "@headwater/records/contacts/writeContact";
import { writeOnce } from "@headwater/records/writing/writeOnce";
import { z } from "zod";
import type { RoutePorts } from "../ports.ts";

const params = z.strictObject({
  primary_key: z.string().min(1),
  channel: storableText(128).min(1).overwrite(canonicalChannel),
});
const query = z.strictObject({ mcID: storableText(512).optional() });

interface Unsubscribe {
  readonly channel: string;
  /** The message that caused it. */
  readonly mcID: string | undefined;
  readonly once: OnceCall;
  /** The header. */
  readonly ifMatch: string | undefined;
  /** Milliseconds since 1970. */
  readonly receivedAtMs: number;
}

type Ports = Pick<RoutePorts, "postgres" | "clock" | "secret" | "producer">;

/**
 * It holds until a forced subscribe, also for a channel of which no address is known. The message that caused it gets an `optout`.
 * Throws 404 `CONTACTS_CONTACT_NOT_FOUND`, 409 `VERSION_CONFLICT`; 503 with Kafka away when a message is named: then nothing is stored; 422 when the contact has no space for the channel.
 */
function unsubscribe(primaryKey: string, unsubscribed: Unsubscribe, ports: Ports): Promise<Answer> {
  const { channel, once } = unsubscribed;
  const { account } = once.caller;
  const key = contactByKey(primaryKey, account, unsubscribed.ifMatch);
  const attributes = { channels: { [channel]: { subscribeStatus: "unsubscribed" as const } } };
  return writeOnce(
    once,
    {
      kind: "v2",
      reads: key.reads,
      fold: (state, origin) => {
        const { cid } = key.in(state);
        // Attributes an account must declare are no matter here: a channel is none.
        const contact = { identifiers: { cID: cid }, attributes, canBeUpdated: true };
        const written = writeContact(state, { contact, lists: {} }, origin);
        if (written.kind === "unknown") throw nobody();
        if (written.kind === "refused") throw refusal(written.code, written.message);
        return { cid, changeEvents: written.changeEvents };
      },
      log: ({ cid }) => logOptout(cid, unsubscribed, ports),
      answer: () => ({ status: 200, body: { success: true } }),
    },
    ports,
  );
}

/**
 * Written before the state is committed: a log that is away undoes the unsubscribe, and the repeat, which has the same `UID`, is
 * folded into the first one.
 */
async function logOptout(
  cID: string,
  { channel, mcID, once, receivedAtMs }: Unsubscribe,
  ports: Ports,
): Promise<readonly ReceiptPart[]> {
  if (mcID === undefined) return [];
  const { caller, requestId } = once;
  const scopes = [...caller.scopes, MESSAGE_EVENTS_SCOPE];
  const body = { action: "optout", cID, UID: `optout:${channel}:${mcID}`, properties: { mcID, channel } };
  const record = toActivityRecord(body, { ...caller, scopes }, ports.clock.nowMs());
  const write = { accountId: caller.account.id, requestId, receivedAtMs, isKeyed: false, record };
  return (await writeActivity(write, ports)).parts;
}

export function unsubscribeContact(ports: WritePorts & Pick<RoutePorts, "producer">): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/contacts/{primary_key}/unsubscribe/{channel}",
    operationId: "unsubscribeContact",
    summary: "Unsubscribes a contact from a channel. Idempotent.",
    description:
      "The message that `mcID` names gets an `optout` activity with the channel; the receipt completes with that activity.",
    tags: ["contacts"],
    answers: {
      200: { description: "The contact is unsubscribed.", schema: successShape, example: successExample },
      404: { description: "CONTACTS_CONTACT_NOT_FOUND: no contact has this key." },
      422: { description: "CONTACT_IDENTIFIERS_EXCEEDED, CONTACT_TOO_LARGE: the contact has no room for the channel." },
    },
    scope: "contacts:write",
    dryRun: "rolledBack",
    ifMatch: true,
    params,
    query,
    handler: ({ params: { primary_key, channel }, query: { mcID }, once, receivedAtMs, header }) =>
      unsubscribe(primary_key, { channel, mcID, once, receivedAtMs, ifMatch: header("if-match") }, ports),
  });
}
