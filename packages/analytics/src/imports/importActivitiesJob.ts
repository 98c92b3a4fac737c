import { createContactactivities } from "@headwater/intake/operations/createContactactivities/createContactactivities";
import { activityReader } from "./columns/activityReader.ts";
import { defineImportJob } from "./importJob.ts";

/** Imports activities: each row is one of a contact, known again by its UID. */
export const importActivitiesJob = defineImportJob("ImportActivities", {
  operationOf: () => createContactactivities,
  reader: activityReader,
});
