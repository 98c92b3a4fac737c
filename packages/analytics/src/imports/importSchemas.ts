import { createContactactivities } from "@headwater/intake/operations/createContactactivities/createContactactivities";
import { importContact } from "@headwater/intake/operations/importContact/importContact";
import { importOrder } from "@headwater/intake/operations/importOrder/importOrder";
import { frameSchemas } from "@headwater/intake/operations/jsonSchema";
import { upsertSupplementsRecords } from "@headwater/intake/operations/upsertSupplementsRecords/upsertSupplementsRecords";

const operations = [createContactactivities, importContact, importOrder, upsertSupplementsRecords];

/** The registry's schema of every subject that imports write. */
export function importSchemas() {
  return frameSchemas(operations);
}
