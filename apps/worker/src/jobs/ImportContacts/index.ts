import { importContact } from "@headwater/operations";
import { contactReader } from "../../imports/columns/contactReader.ts";
import { defineImportJob } from "../../imports/importJob.ts";

/** Imports contacts: each row is a contact with its lists. */
export const importContactsJob = defineImportJob("ImportContacts", { operation: importContact, reader: contactReader });
