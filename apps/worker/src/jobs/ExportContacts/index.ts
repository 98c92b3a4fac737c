import { stageContacts } from "../../exports/contacts/stageContacts.ts";
import { defineExport } from "../../exports/defineExport.ts";

/** Writes contacts with their values to files. */
export const exportContactsJob = defineExport<"ExportContacts">({ jobName: "ExportContacts", stage: stageContacts });
