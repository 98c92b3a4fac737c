import { string, uInt64 } from "./columns.ts";
import { defineTable } from "./defineTable.ts";

/** Identity of this ClickHouse, and the offset up to which each stream is stored; the greatest mark of a stream holds. */
export const confirmedMarks = defineTable({
  name: "confirmed_marks",
  columns: { identity: string, stream: string, mark: uInt64 },
});
