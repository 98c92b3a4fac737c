import { flag, moment, string, uInt32, uInt64 } from "./columns.ts";
import { defineTable } from "./defineTable.ts";

const columns = {
  account: uInt32,
  supplement: uInt32,
  id: string,
  /** 0 where the record belongs to none. */
  contact: uInt64,
  created_at: moment,
  modified_at: moment,
  /** The record with its id, removed fields left out. */
  document: string,
  deleted: flag,
  version: string,
  at: moment,
  revision: uInt64,
};

/** Supplement records as they are now. */
export const supplementRecordsCurrent = defineTable({ name: "supplement_records_current", columns });

/** Supplement records from `at` on; of one version the greatest revision holds. */
export const supplementRecordsHistory = defineTable({ name: "supplement_records_history", columns });
