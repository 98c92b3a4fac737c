import type { OnceCall } from "@headwater/api/idempotency/runOnce";
import type { WritePorts } from "@headwater/api/ports";
import { type Answer, refusal } from "@headwater/http";
import type { FoldState } from "../../fold/foldState.ts";
import { writeOnce } from "../../writing/writeOnce.ts";
import type { Origin } from "../contactIndex.ts";
import { contactByKey } from "../findInState.ts";
import type { Contact } from "../model.ts";
import { type Split, splitContact } from "../splitContact.ts";
import type { SplitBody } from "./schema.ts";

export interface SplitCall extends SplitBody {
  /** The header. */
  readonly ifMatch: string | undefined;
}

/**
 * Moves the channels into a contact of their own.
 * Throws 403 `FEATURE_NOT_ENABLED`, 404 `CONTACTS_CONTACT_NOT_FOUND`, 409 `VERSION_CONFLICT`, 422 for names that are no channel of the contact.
 */
export async function splitChannelsOff(
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
    expectSplit(splitContact(state, key.in(state), channelNames, origin), channelNames);
  return writeOnce(
    call,
    { kind: "split", reads: key.reads, fold, answer: ({ contact }) => toAnswer(contact, channelNames) },
    ports,
  );
}

function expectSplit(split: Split, channelNames: readonly string[]) {
  if (split.kind === "split") return split;
  const details = split.places.map((place) => ({
    path: `/channelNames/${place}`,
    code: "bad_value",
    message: `The contact has no channel ${JSON.stringify(channelNames[place])}.`,
  }));
  throw refusal("VALIDATION_ERROR", "The contact lacks at least one of these channels.", { details });
}

function toAnswer({ cid }: Contact, channelsSplit: readonly string[]): Answer {
  const message = `The channels now belong to contact ${cid}.`;
  return { status: 202, body: { success: true, message, channelsSplit } };
}
