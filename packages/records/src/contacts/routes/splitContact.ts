import { successShape } from "@headwater/api/answers/success";
import type { OnceCall } from "@headwater/api/idempotency/runOnce";
import { storableText } from "@headwater/api/paging/query";
import type { WritePorts } from "@headwater/api/ports";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { type Answer, type Route, refusal } from "@headwater/http";
import { z } from "zod";
import type { FoldState } from "../../fold/foldState.ts";
import { writeOnce } from "../../writing/writeOnce.ts";
import type { Origin } from "../contactIndex.ts";
import { contactByKey } from "../findInState.ts";
import type { Contact } from "../model.ts";
import * as contacts from "../splitContact.ts";

const CHANNELS_MAX = 64;

const body = z.object({
  primaryKey: storableText(1_024).min(1),
  channelNames: z
    .array(storableText(1_024).min(1))
    .min(1)
    .max(CHANNELS_MAX)
    .refine((names) => new Set(names).size === names.length, { message: "names a channel twice" }),
});
type SplitBody = z.output<typeof body>;

const splitAnswer = successShape.extend({
  message: z.string(),
  channelsSplit: z.array(z.string()),
});

const requestExample = { primaryKey: "customer_id:17850", channelNames: ["email"] };
const splitExample = {
  success: true,
  message: "The channels now belong to contact 65f0c0ffee65f0c0ffee0002.",
  channelsSplit: ["email"],
};

interface SplitCall extends SplitBody {
  /** The header. */
  readonly ifMatch: string | undefined;
}

/**
 * Moves the channels into a contact of their own.
 * Throws 403 `FEATURE_NOT_ENABLED`, 404 `CONTACTS_CONTACT_NOT_FOUND`, 409 `VERSION_CONFLICT`, 422 for names that are no channel of the contact.
 */
async function splitContactOnce(
  call: OnceCall,
  { primaryKey, channelNames, ifMatch }: SplitCall,
  ports: WritePorts,
): Promise<Answer> {
  const { account } = call.caller;
  if (!account.settings.features.merge) {
    throw refusal("FEATURE_NOT_ENABLED", "Merging, and with it splitting, is disabled for this account.");
  }
  const key = contactByKey(primaryKey, account, ifMatch);
  const fold = (state: FoldState, origin: Origin) =>
    expectSplit(contacts.splitContact(state, key.in(state), channelNames, origin), channelNames);
  return writeOnce(
    call,
    { kind: "split", reads: key.reads, fold, answer: ({ contact }) => toAnswer(contact, channelNames) },
    ports,
  );
}

function expectSplit(split: contacts.Split, channelNames: readonly string[]) {
  if (split.kind === "split") return split;
  const details = split.places.map((position) => ({
    path: `/channelNames/${position}`,
    code: "bad_value",
    message: `The contact has no channel ${JSON.stringify(channelNames[position])}.`,
  }));
  throw refusal("VALIDATION_ERROR", "The contact lacks at least one of these channels.", { details });
}

function toAnswer({ cid }: Contact, channelsSplit: readonly string[]): Answer {
  const message = `The channels now belong to contact ${cid}.`;
  return { status: 202, body: { success: true, message, channelsSplit } };
}

export function splitContact(ports: WritePorts): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/contacts/split",
    operationId: "splitContact",
    summary: "Splits channels of a contact off into a contact of their own, undoing the merge that brought them.",
    description:
      "If a contact that was merged into this one had an address of every named channel, the latest such merge is undone: that contact is restored under its own cID with its identifiers, lists, orders and activities; this one gets back the values that the merge overwrote and keeps later writes. Otherwise the channels become a new contact. The header `Headwater-Receipt` can be passed to reads as `after`.",
    tags: ["contacts"],
    answers: {
      202: { description: "The channels now belong to another contact.", schema: splitAnswer, example: splitExample },
      403: { description: "FEATURE_NOT_ENABLED: merging is disabled for this account." },
      404: { description: "CONTACTS_CONTACT_NOT_FOUND: no contact has this key." },
    },
    requestExample,
    scope: "contacts:write",
    dryRun: {
      class: "rolledBack",
      record: "/v2/contacts/{primary_key}",
      paramsOf: (sent) => ({ primary_key: body.parse(sent).primaryKey }),
    },
    ifMatch: true,
    body,
    handler: ({ body: request, once, header }) =>
      splitContactOnce(once, { ...request, ifMatch: header("if-match") }, ports),
  });
}
