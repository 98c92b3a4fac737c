import { type Account, defaultSettings } from "@headwater/contracts";
import { rejected, skipped, upserted } from "@headwater/records/fold/outcome";
import { noReads } from "@headwater/records/fold/stateReads";
import { expect, test } from "vitest";
import { loggedOperations } from "../operations/registry.ts";
import { toImportedRows } from "./importedRows.ts";
import type { LoggedRecord } from "./loggedRecord.ts";

const account: Account = { number: 7, id: "a".repeat(24), name: "test", settings: defaultSettings };
const [operation] = loggedOperations;

function located(job: string, row: number | undefined, redriveOf?: string): LoggedRecord {
  if (operation === undefined) throw new Error("there are operations");
  const record = { id: `${job}:${row ?? 0}:0`, receivedAt: 0, ...(row !== undefined && { row }), redriveOf };
  return { account, operation, record, reads: noReads, version: "0".repeat(32), offset: 0, place: 0 };
}

test("rows of imports are counted by outcome, copies and redrives and other records are not", () => {
  const records = [
    located("j", 4),
    located("j", 5),
    located("j", 9),
    located("k", 1),
    located("j", 3),
    located("x", undefined),
    located("j", 11, "r"),
  ];
  const outcomes = [
    upserted(1, true),
    upserted(1, false),
    rejected("CONTACTS_CONTACT_NOT_FOUND", "", ""),
    rejected("INTERNAL_ERROR", "", ""),
    skipped("DUPLICATE"),
    upserted(1, true),
    upserted(1, true),
  ];
  const counted = toImportedRows(records, outcomes, { duplicates: new Set([4]), partition: 2 });
  const none = { inserted: 0, updated: 0, ignored: 0, rejected: 0, errors: 0 };
  expect(counted).toEqual([
    { ...none, account: 7, job: "j", partition: 2, lastRow: 9, inserted: 1, updated: 1, rejected: 1 },
    { ...none, account: 7, job: "k", partition: 2, lastRow: 1, errors: 1 },
  ]);
});
