import {
  createContactactivities,
  frameSchema,
  importContact,
  importOrder,
  subjectOf,
  upsertSupplementsRecords,
} from "@headwater/operations";

const operations = [createContactactivities, importContact, importOrder, upsertSupplementsRecords];

/** The registry's schema of every subject that imports write. */
export function importSchemas() {
  return Object.fromEntries(operations.map((operation) => [subjectOf(operation), frameSchema(operation)]));
}
