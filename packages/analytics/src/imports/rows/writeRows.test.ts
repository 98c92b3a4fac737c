import { type Account, defaultSettings } from "@headwater/contracts";
import { importContact } from "@headwater/intake/operations/importContact/importContact";
import type { Row } from "@headwater/jobs/sources/row";
import type { FrameEntry } from "@headwater/topics";
import { expect, test } from "vitest";
import { refusedRow } from "../importKind.ts";
import { RowWarnings } from "../rowWarnings.ts";
import { writeRows } from "./writeRows.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };

/** Writes rows of one cell, of which an empty one is rejected. @returns the addresses that were written, and the rejected paths. */
async function written(cells: readonly string[], rejectionsMax: number, suppressTriggers?: boolean) {
  const rows = cells.map((text, index): Row => {
    return { kind: "cells", index, line: index + 2, cells: [{ text, isQuoted: false }] };
  });
  const reader = {
    read: (row: Row) => {
      const email = row.kind === "cells" ? row.cells[0]?.text : undefined;
      if (email === undefined || email === "") return refusedRow("The row has no identifier of a contact.");
      const contact = { identifiers: { email }, canBeCreated: true, canBeUpdated: true };
      const own = email.startsWith("loud") ? { suppressTriggers: false } : {};
      return { kind: "item" as const, item: { contact, strategy: "upsert", ...own } };
    },
    newAttributes: [],
    newLists: [],
    ignoredColumns: [],
  };
  const entries: FrameEntry[] = [];
  const append = async (frames: { readonly entries: readonly FrameEntry[] }) => {
    entries.push(...frames.entries);
    return [];
  };
  const { signal } = new AbortController();
  const judging = {
    account,
    operation: importContact,
    reader,
    header: ["email"],
    nowMs: 0,
    warnings: new RowWarnings(),
    suppressTriggers,
  };
  const done = await writeRows(rows, { ...judging, jobId: "j", signal, rejectionsMax }, { producer: { append } });
  const emails = entries.map(({ text }) => JSON.parse(text).contact.identifiers.email);
  const suppressed = entries.map(({ text }) => JSON.parse(text).suppressTriggers);
  return { emails, suppressed, rejected: done.rejections.map(({ index }) => index), isLast: done.isLast };
}

const cells = ["a@x.example", "", "b@x.example", "", "", "c@x.example"];

test("rows before the rejection that is one too many are written, and none behind it", async () => {
  expect(await written(cells, 2)).toMatchObject({
    emails: ["a@x.example", "b@x.example"],
    rejected: [1, 3, 4],
    isLast: true,
  });
  expect(await written(cells, 0)).toMatchObject({ emails: ["a@x.example"], rejected: [1], isLast: true });
});

test("all rows are written while no more are rejected than may be", async () => {
  const { emails, isLast } = await written(cells, 3);
  expect(emails).toEqual(["a@x.example", "b@x.example", "c@x.example"]);
  expect(isLast).toBe(false);
});

test("rows say whether they start automations where their import does, and the row's own word wins", async () => {
  const rows = ["a@x.example", "loud@x.example"];
  expect((await written(rows, 0)).suppressed).toEqual([undefined, false]);
  expect((await written(rows, 0, true)).suppressed).toEqual([true, false]);
  expect((await written(rows, 0, false)).suppressed).toEqual([false, false]);
});
