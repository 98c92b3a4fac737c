import { flag, moment, string, uInt32, uInt64 } from "./columns.ts";
import { defineTable } from "./defineTable.ts";

const member = {
  account: uInt32,
  list: uInt32,
  contact: uInt64,
  present: flag,
  joined_at: moment,
  version: string,
};

/** Members of lists as they are now. */
export const membershipsCurrent = defineTable({
  name: "memberships_current",
  columns: { ...member, revision: uInt64 },
});

/** Memberships from `at` on. */
export const membershipsHistory = defineTable({ name: "memberships_history", columns: { ...member, at: moment } });
