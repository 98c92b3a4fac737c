import { type Account, defaultSettings, type JobInput } from "@headwater/contracts";
import type { Row } from "@headwater/jobs/sources/row";
import { describe, expect, test } from "vitest";
import { activityReader } from "./activityReader.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
const readerOf = (header: readonly string[] | null, input: JobInput<"ImportActivities"> = {}) =>
  activityReader({ account, input, header, isDryRun: false, nowMs: 0 });

async function itemOf(header: readonly string[], texts: readonly string[], input: JobInput<"ImportActivities"> = {}) {
  const { read } = await readerOf(header, input);
  return read({ kind: "cells", index: 0, line: 2, cells: texts.map((text) => ({ text, isQuoted: false })) });
}

describe("a row of columns", () => {
  test("is an activity of the contact that its headers name, with all else as properties", async () => {
    const header = ["E-Mail", "Event", "Timestamp", "Event ID", "Page", "properties.total", "geo"];
    const texts = ["ann@example.com", "visit", "31.01.2026 10:30", "v1", "Home", "2,5", '{"city":"Graz"}'];
    const read = await itemOf(header, texts, { decimal: ",", dateFormat: "dd.mm.yyyy hh:mm", canBeCreated: true });
    const properties = { Page: "Home", total: 2.5 };
    const event = { name: "visit", time: "2026-01-31T10:30:00", UID: "v1", geo: { city: "Graz" }, properties };
    expect(read).toEqual({
      kind: "item",
      item: {
        contact: { identifiers: { email: "ann@example.com" }, canBeCreated: true },
        contactactivities: [event],
      },
    });
  });

  test("gets a UID of its content where it has none, and that of an export's row", async () => {
    const uidOf = async (header: readonly string[], texts: readonly string[]) =>
      JSON.stringify(await itemOf(header, texts)).match(/"UID":"([^"]+)"/)?.[1];
    const header = ["email", "name", "time"];
    const first = await uidOf(header, ["ann@example.com", "visit", "2026-01-31"]);
    expect(first).toMatch(/^row-[0-9a-f]{32}$/);
    expect(await uidOf(header, ["ann@example.com", "visit", "2026-01-31"])).toBe(first);
    expect(await uidOf(header, ["ann@example.com", "visit", "2026-02-01"])).not.toBe(first);
    expect(await uidOf(["id", ...header], ["r1:0:0", "ann@example.com", "visit", "2026-01-31"])).toBe("r1:0:0");
  });

  test("says which columns are left out, and refuses a row without a contact", async () => {
    const header = ["cID", "email", "action", "time", "receivedAt", "Internal"];
    const { ignoredColumns } = await readerOf(header, { mapping: { Internal: null } });
    expect(ignoredColumns).toEqual(["email", "receivedAt", "Internal"]);
    expect(await itemOf(["email", "name", "time"], ["", "visit", "2026-01-31"])).toMatchObject({ kind: "refused" });
  });
});

test("a line of JSON is read by the same names, or nested as intake has it", async () => {
  const { read } = await readerOf(null);
  const lines = [
    { email: "ann@example.com", action: "visit", time: "2026-01-31", UID: "v1", properties: { page: "Home" } },
    {
      contact: { identifiers: { email: "ann@example.com" } },
      name: "visit",
      time: "2026-01-31",
      UID: "v1",
      page: "Home",
    },
  ];
  const items = lines.map((members, index) => {
    const row: Row = { kind: "object", index, line: index + 1, members };
    return read(row);
  });
  expect(items[0]).toEqual(items[1]);
});
