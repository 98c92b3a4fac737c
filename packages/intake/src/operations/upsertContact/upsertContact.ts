import { checkContact } from "@headwater/records/contacts/checkContact";
import { identifiersTouched, readIdentifiers } from "@headwater/records/contacts/readIdentifiers";
import { defineOperation, sentMembers } from "../operation.ts";
import { fold } from "./fold.ts";
import { body, record } from "./schema.ts";

export const upsertContact = defineOperation({
  name: "upsertContact",
  summary: "Creates or updates a contact.",
  batchItemsMax: 1000,
  suppressesTriggers: true,
  body,
  record,
  sample: {
    identifiers: { email: "ann@example.com", customer_id: 4711 },
    attributes: {
      first_name: "Ann",
      lifetime_value: 129.5,
      channels: { email: { address: "ann@example.com", subscribeStatus: "subscribed" } },
    },
    canBeCreated: true,
    canBeUpdated: true,
  },
  check: (item) => checkContact(item, ""),
  split: ({ source: _source, suppressTriggers: _triggers, ...contact }) => [{ contact, members: { contact } }],
  itemOf: ({ contact, ...record }) => ({ ...sentMembers(record), ...contact }),
  reads: ({ contact }, origin) => {
    const read = readIdentifiers(contact, origin);
    return { identifiers: identifiersTouched(read), read, members: true };
  },
  fold,
});
