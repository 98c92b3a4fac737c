import { changesChannel } from "@headwater/records/contacts/messageEvents";
import { identifiersTouched, readIdentifiers } from "@headwater/records/contacts/readIdentifiers";
import { defineOperation } from "../operation.ts";
import { soleIdentifier } from "../soleIdentifier.ts";
import { check } from "./check.ts";
import { fold } from "./fold.ts";
import { type Body, body, record } from "./schema.ts";

export const createContactactivities = defineOperation({
  name: "createContactactivities",
  summary: "Records activities of one contact.",
  batchItemsMax: 1000,
  body,
  record,
  sample: {
    contact: { identifiers: { email: "ann@example.com" }, attributes: { first_name: "Ann" }, canBeCreated: true },
    contactactivities: [
      { name: "browse", time: "2026-01-09T22:47:12Z", UID: "session-1-view-1", properties: { category: "Shoes" } },
    ],
  },
  check,
  split,
  itemOf: ({ source, contact, event, suppressTriggers }) => {
    const members = {
      ...(source !== undefined && { source }),
      ...(suppressTriggers !== undefined && { suppressTriggers }),
    };
    return { ...members, contact, contactactivities: [event] };
  },
  reads: ({ contact, event }, origin) => {
    const sole = changesChannel(event) ? undefined : soleIdentifier(contact, origin);
    if (sole !== undefined) return { identifiers: [sole], members: false };
    const read = readIdentifiers(contact, origin);
    return { identifiers: identifiersTouched(read), read, members: true };
  },
  fold,
});

function split({ contact, contactactivities, suppressTriggers }: Body) {
  const { identifiers, identifiersPriority } = contact;
  const reference = identifiersPriority === undefined ? { identifiers } : { identifiers, identifiersPriority };
  return contactactivities.map((event, index) => ({
    contact,
    members: { contact: index === 0 ? contact : reference, event, ...(suppressTriggers && { suppressTriggers }) },
  }));
}
