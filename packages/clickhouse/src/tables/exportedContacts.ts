import { keyword, uInt32, uInt64 } from "./columns.ts";
import { defineTable } from "./defineTable.ts";

/** Contacts of each file that an export wrote; ClickHouse fills it from staged rows. */
export const exportedContacts = defineTable({
  name: "exported_contacts",
  columns: { account: uInt32, contact: uInt64, job: keyword, file: keyword },
  computed: { day: "Date" },
});
