import { createCursors } from "@headwater/api/paging/cursors";
import { nextOf } from "@headwater/api/paging/listAnswer";
import { cutPage, readPage } from "@headwater/api/paging/page";
import { readTimeRange } from "@headwater/api/paging/timeRange";
import { describe, expect, test } from "vitest";
import { cursorKey } from "./listOrders.ts";

const rules = { list: "orders", key: cursorKey, direction: "desc", account: 1, cursors: createCursors("") } as const;

describe("a page", () => {
  test("goes on where the cursor of the one before says", () => {
    const rows = [3, 2, 1].map((n) => ({ purchasedAt: n, orderId: `o${n}` }));
    const first = readPage({ per_page: 2 }, rules);
    const { rows: stored, nextCursor } = cutPage(rows, first, (row) => row);
    expect(stored).toEqual(rows.slice(0, 2));
    expect(readPage({ per_page: 2, cursor: nextCursor ?? "" }, rules)).toMatchObject({
      after: { purchasedAt: 2, orderId: "o2" },
      skip: 0,
      page: undefined,
    });
    expect(cutPage(rows.slice(0, 2), first, (row) => row).nextCursor).toBeNull();
  });

  test("begins nowhere that a cursor of another list, account or direction says", () => {
    const { cursorAfter } = readPage({}, rules);
    const cursor = cursorAfter({ purchasedAt: 2, orderId: "o2" });
    const created = Buffer.from(JSON.stringify(["orders", "desc", { purchasedAt: 2, orderId: "o2" }])).toString(
      "base64url",
    );
    for (const other of [{ list: "jobs" }, { account: 2 }, { direction: "asc" } as const]) {
      expect(() => readPage({ cursor }, { ...rules, ...other })).toThrow(/cursor/);
    }
    expect(() => readPage({ cursor: created }, rules)).toThrow(
      expect.objectContaining({ code: "INVALID_CURSOR", status: 400 }),
    );
  });

  test("reaches 10,000 rows and no further", () => {
    expect(readPage({ page: 20, per_page: 500 }, rules).skip).toBe(9_500);
    expect(() => readPage({ page: 21, per_page: 500 }, rules)).toThrow(/cursor/);
  });

  test("links to the next one with the same filters, but neither its number nor a receipt", () => {
    const query = { "purchaseDate[gt]": "2026-01-01", page: 2, per_page: 5, after: "receipt", cursor: undefined };
    expect(nextOf("/v2/orders", query, "abc")).toBe(
      '</v2/orders?purchaseDate%5Bgt%5D=2026-01-01&per_page=5&cursor=abc>; rel="next"',
    );
  });
});

describe("a range", () => {
  const range = (query: Readonly<Record<string, string>>) => readTimeRange(query, "purchaseDate", "Europe/Berlin");
  const at = (text: string) => Date.parse(text);

  test("of a date alone is that day in the account's zone, 23 hours when the clocks change", () => {
    const { from = 0, to = 0 } = range({ purchaseDate: "2026-03-29" });
    expect([from, to - from]).toEqual([at("2026-03-28T23:00:00Z"), 23 * 3_600_000]);
  });

  test("takes the narrowest of its bounds, to the millisecond", () => {
    const instant = "2026-03-29T00:00:00.000Z";
    expect(range({ "purchaseDate[gt]": instant, "purchaseDate[gte]": "2026-03-01" })).toEqual({
      from: at(instant) + 1,
    });
    expect(range({ "purchaseDate[lte]": instant, "purchaseDate[lt]": "2026-04-01" })).toEqual({ to: at(instant) + 1 });
    expect(range({})).toEqual({});
  });
});
