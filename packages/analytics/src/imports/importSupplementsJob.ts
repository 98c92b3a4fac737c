import { upsertSupplementsRecords } from "@headwater/intake/operations/upsertSupplementsRecords/upsertSupplementsRecords";
import { supplementReader } from "./columns/supplementReader.ts";
import { defineImportJob } from "./importJob.ts";

/** Imports records of a supplement table, upserted by `id`. */
export const importSupplementsJob = defineImportJob("ImportSupplements", {
  operation: upsertSupplementsRecords,
  reader: supplementReader,
});
