export type { CartChangeRecord, SupplementChangeRecord } from "./cartAndRecordChanges.ts";
export {
  type ContactChangeRecord,
  type MembershipChangeRecord,
  type OrderChangeRecord,
  toChangeRecords,
} from "./changeRecords.ts";
export { loadNeeds, loadRows } from "./loadRows.ts";
export { toOutboxRows, toPieces } from "./outboxRows.ts";
export { LostRace, storeChanges } from "./storeBatch.ts";
