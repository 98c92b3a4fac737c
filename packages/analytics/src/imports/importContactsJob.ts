import { importContact } from "@headwater/intake/operations/importContact/importContact";
import { contactReader } from "./columns/contactReader.ts";
import { defineImportJob } from "./importJob.ts";

/** Imports contacts: each row is a contact with its lists. */
export const importContactsJob = defineImportJob("ImportContacts", {
  operationOf: () => importContact,
  reader: contactReader,
});
