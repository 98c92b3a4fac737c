import { checkContact } from "@headwater/records/contacts/checkContact";
import { identifiersTouched, readIdentifiers } from "@headwater/records/contacts/readIdentifiers";
import { defineInternalOperation } from "../operation.ts";
import { fold } from "./fold.ts";
import { body, record } from "./schema.ts";

/** A partner's wish that two contacts be one: the destination survives, and different values of a name do not stop it. */
export const mergeContacts = defineInternalOperation({
  name: "mergeContacts",
  suppressesTriggers: true,
  body,
  record,
  sample: {
    contact: { identifiers: { customer_id: "4711" } },
    previous: { identifiers: { anonymousId: "a-1", customer_id: "a-1" }, identifiersPriority: ["anonymousId"] },
  },
  check: ({ contact }) => checkContact(contact, "/contact"),
  split: ({ contact, previous }) => [{ contact, members: { contact, previous } }],
  reads: ({ contact, previous }, origin) => {
    const read = readIdentifiers(contact, origin);
    const before = identifiersTouched(readIdentifiers(previous, origin));
    return { identifiers: [...identifiersTouched(read), ...before], read, members: true };
  },
  fold,
});
