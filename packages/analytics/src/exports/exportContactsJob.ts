import { stageContacts } from "./contacts/stageContacts.ts";
import { defineExport } from "./defineExport.ts";

/** Writes contacts with their values to files. */
export const exportContactsJob = defineExport<"ExportContacts">({ jobName: "ExportContacts", stage: stageContacts });
