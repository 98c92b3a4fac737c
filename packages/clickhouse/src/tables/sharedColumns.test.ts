import { expect, test } from "vitest";
import { RowBinary } from "../rowBinary.ts";
import { nullable, string, uInt8, uInt32, uInt64 } from "./columns.ts";
import { defineTable } from "./defineTable.ts";
import { sharedColumns } from "./sharedColumns.ts";

const shared = { account: uInt32, text: string, value: nullable(uInt8) };
const current = defineTable({ name: "current", columns: { ...shared, revision: uInt64 } });
const history = defineTable({ name: "history", columns: { ...shared, at: uInt64, revision: uInt64 } });
const row = { account: 7, text: "Zürich", value: 3, revision: 9, at: 1_764_000_000_000 };

test("a row that is copied up to the first different column and written from there on has the bytes of one that was written", () => {
  const columns = sharedColumns(current, history);
  expect(columns).toEqual({ count: 3, bytesBehind: 8 });
  const [first, copied, written] = [new RowBinary(1), new RowBinary(1), new RowBinary()];
  current.write(first, { ...row, text: "before" });
  const start = first.bytes();
  current.write(first, row);
  copied.copy(first, start, first.bytes() - (columns?.bytesBehind ?? 0));
  history.writeFrom(copied, row, columns?.count ?? 0);
  history.write(written, row);
  expect([...copied.body()]).toEqual([...written.body()]);
});

test("tables of the same columns share all of them", () => {
  expect(sharedColumns(current, defineTable({ name: "again", columns: { ...shared, revision: uInt64 } }))).toEqual({
    count: 4,
    bytesBehind: 0,
  });
});

test("nothing is shared when the first column differs in name or type", () => {
  expect(sharedColumns(current, defineTable({ name: "a", columns: { id: uInt32 } }))).toBeUndefined();
  expect(sharedColumns(current, defineTable({ name: "b", columns: { account: uInt64 } }))).toBeUndefined();
});

test("nothing is shared when the columns behind differ in length from row to row", () => {
  const texts = defineTable({ name: "texts", columns: { account: uInt32, text: string } });
  expect(sharedColumns(texts, defineTable({ name: "c", columns: { account: uInt32 } }))).toBeUndefined();
});
