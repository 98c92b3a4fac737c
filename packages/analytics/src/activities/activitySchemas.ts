import { createContactactivities } from "@headwater/intake/operations/createContactactivities/createContactactivities";
import { frameSchema, subjectOf } from "@headwater/intake/operations/jsonSchema";

/** The registry's schema of the one subject the service writes. */
export function activitySchemas() {
  return { [subjectOf(createContactactivities)]: frameSchema(createContactactivities) };
}
