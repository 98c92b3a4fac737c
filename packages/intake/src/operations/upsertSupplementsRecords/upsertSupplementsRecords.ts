import type { ErrorDetail } from "@headwater/contracts";
import { supplementRecordIdOf } from "@headwater/kernel";
import { checkRecord } from "@headwater/records/supplements/supplementCheck";
import { keyOf, linksOf } from "@headwater/records/supplements/supplementLink";
import { defineOperation, sentMembers } from "../operation.ts";
import { fold } from "./fold.ts";
import { type Body, body, record } from "./schema.ts";

export const upsertSupplementsRecords = defineOperation({
  name: "upsertSupplementsRecords",
  summary: "Creates or updates records of a supplement table.",
  batchItemsMax: 500,
  body,
  record,
  sample: {
    supplement: "cars",
    records: [
      { id: "car-1", email: "ann@example.com", model: "A", year: 2019 },
      { id: "car-2", email: "ann@example.com", model: "B", sold: "2026-01-09" },
    ],
  },
  check,
  split: ({ supplement, records }) =>
    records.map((one, index) => ({ key: keyOf(supplement, one, index), members: { supplement, record: one } })),
  itemOf: ({ supplement, record: one, ...record }) => ({ ...sentMembers(record), supplement, records: [one] }),
  reads: ({ id, redriveOf, supplement, record: { id: input, ...fields } }, { account }) => ({
    identifiers: linksOf(fields, account),
    members: false,
    supplement: { key: supplement, id: input ?? supplementRecordIdOf(account.id, redriveOf ?? id) },
  }),
  fold,
  elements: "/records",
});

function check({ records }: Body): readonly ErrorDetail[] {
  return records.flatMap((record, index) => checkRecord(record, `/records/${index}`));
}
