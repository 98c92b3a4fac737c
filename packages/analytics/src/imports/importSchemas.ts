import { createContactactivities } from "@headwater/intake/operations/createContactactivities/createContactactivities";
import { importContact } from "@headwater/intake/operations/importContact/importContact";
import { importOrder } from "@headwater/intake/operations/importOrder/importOrder";
import { frameSchemas } from "@headwater/intake/operations/jsonSchema";
import { upsertContact } from "@headwater/intake/operations/upsertContact/upsertContact";
import { upsertOrder } from "@headwater/intake/operations/upsertOrder/upsertOrder";
import { upsertSupplementsRecords } from "@headwater/intake/operations/upsertSupplementsRecords/upsertSupplementsRecords";

const operations = [
  ...[createContactactivities, importContact, importOrder, upsertSupplementsRecords],
  ...[upsertContact, upsertOrder],
];

/** The registry's schema of every subject that imports and runs of data jobs write. */
export function importSchemas() {
  return frameSchemas(operations);
}
