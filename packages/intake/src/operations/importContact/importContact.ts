import { checkContact } from "@headwater/records/contacts/checkContact";
import { identifiersTouched, readIdentifiers } from "@headwater/records/contacts/readIdentifiers";
import { defineInternalOperation } from "../operation.ts";
import { fold } from "./fold.ts";
import { body, record } from "./schema.ts";

/** A row of a contact import: the contact and its lists in one record, so that a row has one outcome. */
export const importContact = defineInternalOperation({
  name: "importContact",
  suppressesTriggers: true,
  body,
  record,
  sample: {
    contact: {
      identifiers: { email: "ann@example.com" },
      attributes: { first_name: "Ann" },
      canBeCreated: true,
      canBeUpdated: true,
    },
    lists: { "7": true },
    strategy: "upsert",
  },
  // A file may name contacts and say nothing more of them.
  check: ({ contact }) => (contact.attributes === undefined ? [] : checkContact(contact, "/contact")),
  split: ({ contact, lists, strategy, isSpelled, spellsStructures }) => [
    {
      contact,
      members: {
        contact,
        ...(lists && { lists }),
        strategy,
        ...(isSpelled && { isSpelled }),
        ...(spellsStructures && { spellsStructures }),
      },
    },
  ],
  reads: ({ contact, lists = {} }, origin) => {
    const read = readIdentifiers(contact, origin);
    return { identifiers: identifiersTouched(read), read, members: true, listIds: Object.keys(lists).map(Number) };
  },
  fold,
});
