import { createContactactivities, frameSchema, subjectOf } from "@headwater/operations";

/** The registry's schema of the one subject the service writes. */
export function activitySchemas() {
  return { [subjectOf(createContactactivities)]: frameSchema(createContactactivities) };
}
