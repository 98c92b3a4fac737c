import { upsertSupplementsRecords } from "@headwater/operations";
import { supplementReader } from "../../imports/columns/supplementReader.ts";
import { defineImportJob } from "../../imports/importJob.ts";

/** Imports records of a supplement table, upserted by `id`. */
export const importSupplementsJob = defineImportJob("ImportSupplements", {
  operation: upsertSupplementsRecords,
  reader: supplementReader,
});
