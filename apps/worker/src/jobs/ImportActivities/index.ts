import { createContactactivities } from "@headwater/operations";
import { activityReader } from "../../imports/columns/activityReader.ts";
import { defineImportJob } from "../../imports/importJob.ts";

/** Imports activities: each row is one of a contact, known again by its UID. */
export const importActivitiesJob = defineImportJob("ImportActivities", {
  operation: createContactactivities,
  reader: activityReader,
});
