import { enum8, flag, float64, keyword, moment, nullable, string, uInt32, uInt64 } from "./columns.ts";
import { defineTable } from "./defineTable.ts";

/** Contacts as they are now; `deleted` is set for merged ones too. */
export const contactsCurrent = defineTable({
  name: "contacts_current",
  columns: {
    account: uInt32,
    contact: uInt64,
    cid: string,
    created_at: moment,
    modified_at: moment,
    version: string,
    merged_into: uInt64,
    deleted: flag,
    revision: uInt64,
  },
  computed: {
    /** Set for contacts that are deleted and not merged. */
    erased: "UInt8",
  },
});

const field = {
  account: uInt32,
  field: keyword,
  contact: uInt64,
  kind: enum8({ removed: 0, string: 1, number: 2, boolean: 3, array: 4, object: 5 }),
  /** Strings as they are, all else as JSON text. */
  text: string,
  /** Numbers and numeric strings. */
  number: nullable(float64),
  version: string,
};

/** Fields of contacts as they are now. */
export const contactFieldsCurrent = defineTable({
  name: "contact_fields_current",
  columns: { ...field, revision: uInt64 },
});

/** Values of each field from when to when: `at` is the time of `version`. */
export const contactFieldsHistory = defineTable({
  name: "contact_fields_history",
  columns: { ...field, at: moment },
});

/** The number of a merged contact and that of the one that answers for it. */
export const contactAliases = defineTable({
  name: "contact_aliases",
  columns: { account: uInt32, contact: uInt64, survivor: uInt64, revision: uInt64 },
});
