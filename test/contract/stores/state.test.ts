import { postgresFailure } from "@headwater/postgres/connection/failures";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import {
  pageContacts,
  readContactByCid,
  readContactByIdentifiers,
  readContactViews,
} from "@headwater/records/contacts/contactReads";
import {
  insertContacts,
  loadCids,
  loadContacts,
  lockContacts,
  type StoredContact,
  updateContacts,
} from "@headwater/records/contacts/contacts";
import { insertIdentifiers, loadIdentifiers, moveIdentifiers } from "@headwater/records/contacts/identifiers";
import { insertMerges, moveToSurvivors } from "@headwater/records/contacts/merges";
import { takeContactNumbers, takeOutboxPositions } from "@headwater/records/contacts/sequences";
import { ensureLists, loadListsByName } from "@headwater/records/lists/lists";
import { loadMemberships, upsertMemberships } from "@headwater/records/lists/memberships";
import { pageOrders } from "@headwater/records/orders/orderReads";
import { insertOrders, loadOrders } from "@headwater/records/orders/orders";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Fresh, freshPostgres, gate } from "./fresh.ts";

let fresh: Fresh<Postgres>;
let postgres: Postgres;
beforeAll(async () => {
  fresh = await freshPostgres(true, { keyLookupsOnly: true });
  postgres = fresh.store;
});
afterAll(() => fresh.drop());

const version = (n: number) => n.toString(16).padStart(32, "0");

function contact(number: number, more: Partial<StoredContact> = {}): StoredContact {
  const cid = number.toString(16).padStart(24, "0");
  return {
    account: 1,
    number,
    cid,
    createdAt: 1,
    modifiedAt: 2,
    version: version(3),
    mergedInto: null,
    doc: "{}",
    ...more,
  };
}

const store = (rows: readonly StoredContact[]) =>
  postgres.transaction((transaction) => insertContacts(transaction, rows, 1));

describe("contacts", () => {
  it("come back as they were stored, whatever their text holds", async () => {
    const texts = ['"', "\\", "\n\t\u001f", "{}", "NULL", "ü🙂", "a,b", "'"];
    const numbers = await takeContactNumbers(postgres, texts.length);
    const rows = texts.map((text, index) => contact(numbers[index] ?? 0, { doc: JSON.stringify({ text }) }));
    await store(rows);
    const stored = await loadContacts(postgres, rows);
    expect(stored.sort((a, b) => a.number - b.number)).toEqual(rows);
  });

  it("are updated where they are, and are locked in order of number", async () => {
    const numbers = await takeContactNumbers(postgres, 3);
    const rows = numbers.map((number) => contact(number));
    await store(rows);
    const changed = rows.map((row) => ({ ...row, modifiedAt: 9, version: version(9), doc: '{"a":1}' }));
    await postgres.transaction(async (transaction) => {
      const locked = await lockContacts(transaction, rows.toReversed());
      expect(locked.map(({ number }) => number)).toEqual(numbers);
      expect(await updateContacts(transaction, changed, 5)).toBe(3);
    });
    expect(await loadContacts(postgres, rows)).toEqual(expect.arrayContaining(changed));
  });

  it("of many accounts are found in one question", async () => {
    const numbers = await takeContactNumbers(postgres, 40);
    const rows = numbers.map((number, index) => contact(number, { account: 100 + index }));
    await store(rows);
    expect(await loadContacts(postgres, rows)).toHaveLength(40);
    const identifiers = rows.map(({ account, number }) => ({
      account,
      name: "email",
      value: "a@b.c",
      contact: number,
    }));
    await postgres.transaction((transaction) => insertIdentifiers(transaction, identifiers));
    expect(await loadIdentifiers(postgres, identifiers)).toHaveLength(40);
  });
});

describe("identifiers", () => {
  it("identifiers that two transactions create at once end with one of them: the other sees the write conflict", async () => {
    const rows = ["a", "b", "c"].map((value) => ({ account: 2, name: "email", value, contact: 1 }));
    const inserted = gate();
    const waiting = gate();
    const first = postgres.transaction(async (transaction) => {
      await insertIdentifiers(transaction, rows);
      inserted.open();
      await waiting.opened;
    });
    await inserted.opened;
    const theirs = rows.toReversed().map((row) => ({ ...row, contact: 2 }));
    const second = postgres.transaction((transaction) => insertIdentifiers(transaction, theirs));
    const failure = second.then(() => "none", postgresFailure);
    await expect.poll(() => waitingSessions()).toBe(1);
    waiting.open();
    await first;
    expect(await failure).toBe("unique");
    expect((await loadIdentifiers(postgres, rows)).map((row) => row.contact)).toEqual([1, 1, 1]);
  });

  it("of a transaction that rolled back are free again", async () => {
    const row = { account: 2, name: "phone", value: "+1", contact: 1 };
    const lost = postgres.transaction(async (transaction) => {
      await insertIdentifiers(transaction, [row]);
      throw new Error("no");
    });
    await expect(lost).rejects.toThrow("no");
    expect(await postgres.transaction((transaction) => insertIdentifiers(transaction, [row]))).toBe(1);
  });

  it("are found whatever characters they hold", async () => {
    const values = ['q"', "back\\slash", "unit\u001fseparator", "ü", "{x,y}", "NULL"];
    const rows = values.map((value, index) => ({ account: 3, name: "customer_id", value, contact: index + 1 }));
    await postgres.transaction((transaction) => insertIdentifiers(transaction, rows));
    const keys = [...rows, { account: 3, name: "customer_id", value: "nobody" }];
    const found = await loadIdentifiers(postgres, keys);
    expect(found.sort((a, b) => a.contact - b.contact)).toEqual(rows);
  });
});

async function waitingSessions(): Promise<number> {
  const text =
    "SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  const [row] = await postgres.query<{ n: number }>({ text });
  return row?.n ?? 0;
}

describe("a merge", () => {
  it("makes the dead contact an alias of the live one, chains included, and moves its orders", async () => {
    const [a = 0, b = 0, c = 0] = await takeContactNumbers(postgres, 3);
    const account = 4;
    const rows = [a, b, c].map((number) => contact(number, { account }));
    await store(rows);
    const identifier = { account, name: "email", value: "a@merge", contact: a };
    const order = { account, orderId: "o1", contact: a, purchasedAt: 1, version: version(1), doc: "{}" };
    await postgres.transaction(async (transaction) => {
      await insertIdentifiers(transaction, [identifier]);
      await insertOrders(transaction, [order], 1);
      await upsertMemberships(transaction, [
        { account, list: 1, contact: a, present: true, joinedAt: 1, version: version(1) },
      ]);
    });
    const merge = (merged: number, survivor: number) =>
      postgres.transaction(async (transaction) => {
        const before = JSON.stringify({ merged });
        await insertMerges(transaction, [
          { account, survivor, merged, at: 1, version: version(1), byRecord: "r:0:0", before },
        ]);
        await moveIdentifiers(transaction, [{ ...identifier, contact: survivor }]);
        return moveToSurvivors(transaction, [{ account, merged, survivor }]);
      });
    expect(await merge(a, b)).toEqual([]);
    expect(await merge(b, c)).toEqual([{ number: a, merged: b }]);
    const cidOf = (number: number) => rows.find((row) => row.number === number)?.cid ?? "";
    expect(await loadCids(postgres, [{ account, cid: cidOf(a) }])).toEqual([{ account, cid: cidOf(a), contact: c }]);
    expect((await readContactByCid(postgres, account, cidOf(a)))?.number).toBe(c);
    expect(
      (await readContactByIdentifiers(postgres, account, [{ name: "phone", value: "x" }, identifier]))?.number,
    ).toBe(c);
    expect((await loadOrders(postgres, [order]))[0]?.contact).toBe(c);
    expect(await loadMemberships(postgres, [{ account, list: 1, contact: a }])).toEqual([]);
  });
});

describe("memberships and lists", () => {
  it("keep the later version whichever transaction comes last", async () => {
    const row = { account: 5, list: 1, contact: 1, present: true, joinedAt: 1, version: version(7) };
    const write = (next: typeof row) => postgres.transaction((transaction) => upsertMemberships(transaction, [next]));
    expect(await write(row)).toBe(1);
    expect(await write({ ...row, present: false, version: version(6) })).toBe(0);
    expect(await write({ ...row, present: false, version: version(8) })).toBe(1);
    expect((await loadMemberships(postgres, [row]))[0]).toEqual({ ...row, present: false, version: version(8) });
  });

  it("two processes that bring up the same names make each list once, numbered from 1", async () => {
    const names = ["Buyers", "ÄRZTE", "ärzte", "VIP"].map((name) => ({ account: 6, name }));
    const [left, right] = await Promise.all([
      ensureLists(postgres, names, 1),
      ensureLists(postgres, names.toReversed(), 1),
    ]);
    expect(left.map(({ id }) => id).sort()).toEqual(right.map(({ id }) => id).sort());
    const found = await loadListsByName(postgres, [{ account: 6, name: "Ärzte" }]);
    expect(found).toHaveLength(1);
    expect(new Set(left.map(({ id }) => id))).toEqual(new Set([1, 2, 3]));
  });
});

describe("orders", () => {
  it("are paged by time and id in both directions without a gap", async () => {
    const account = 7;
    const [number = 0] = await takeContactNumbers(postgres, 1);
    await store([contact(number, { account })]);
    const rows = Array.from({ length: 25 }, (_, index) => ({
      account,
      orderId: `o${String(index).padStart(2, "0")}`,
      contact: number,
      purchasedAt: 1000 + Math.floor(index / 3),
      version: version(1),
      doc: "{}",
    }));
    await postgres.transaction((transaction) => insertOrders(transaction, rows, 1));
    for (const direction of ["asc", "desc"] as const) {
      const seen: string[] = [];
      const bounds = { account, direction, rowsMax: 4, bytesMax: 100 };
      for (let { rows: page } = await pageOrders(postgres, bounds); page.length > 0; ) {
        seen.push(...page.map(({ orderId }) => orderId));
        const after = page[page.length - 1];
        page = after === undefined ? [] : (await pageOrders(postgres, { ...bounds, after })).rows;
      }
      const all = rows.map(({ orderId }) => orderId);
      expect(seen).toEqual(direction === "asc" ? all : all.toReversed());
    }
    const window = await pageOrders(postgres, {
      account,
      contact: number,
      from: 1001,
      to: 1003,
      direction: "asc",
      rowsMax: 100,
      bytesMax: 100,
    });
    expect(window.rows).toHaveLength(6);
  });

  it("pages of contacts and orders end at a bound of bytes, and a record that is larger than it is read alone", async () => {
    const account = 11;
    const numbers = await takeContactNumbers(postgres, 3);
    const doc = (bytes: number) => "x".repeat(bytes);
    await store(numbers.map((number, index) => contact(number, { account, doc: doc(index === 1 ? 200 : 60) })));
    const orders = numbers.map((number, index) => ({
      ...{ account, orderId: `o${index}`, contact: number, purchasedAt: index, version: version(1) },
      doc: doc(index === 1 ? 200 : 60),
    }));
    await postgres.transaction((transaction) => insertOrders(transaction, orders, 1));
    const [first = 0, second = 0, third = 0] = numbers;
    const bounds = { account, direction: "asc", skip: 0, rowsMax: 10, bytesMax: 100 } as const;
    const contacts = async (page: object) => {
      const { rows, isCut } = await pageContacts(postgres, { ...bounds, ...page });
      return [rows.map(({ number }) => number), isCut];
    };
    expect(await contacts({})).toEqual([[first], true]);
    expect(await contacts({ after: first })).toEqual([[second], true]);
    expect(await contacts({ after: second })).toEqual([[third], false]);
    expect(await contacts({ direction: "desc", bytesMax: 260 })).toEqual([[third, second], true]);
    expect(await contacts({ bytesMax: 320 })).toEqual([[first, second, third], false]);
    const found = await readContactViews(postgres, numbers, { account, direction: "desc", bytesMax: 100 });
    expect([found.rows.map(({ number }) => number), found.isCut]).toEqual([[third], true]);
    const { rows, isCut } = await pageOrders(postgres, { ...bounds, after: { purchasedAt: 0, orderId: "o0" } });
    expect([rows.map(({ orderId }) => orderId), isCut]).toEqual([["o1"], true]);
  });

  it("orders that another transaction created first are not created twice", async () => {
    const row = { account: 8, orderId: "x", contact: 1, purchasedAt: 1, version: version(1), doc: "{}" };
    const write = () => postgres.transaction((transaction) => insertOrders(transaction, [row], 1));
    expect([await write(), await write()]).toEqual([1, 0]);
  });
});

it("numbers are taken once, however many ask", async () => {
  const taken = await Promise.all(Array.from({ length: 8 }, () => takeOutboxPositions(postgres, 50)));
  expect(new Set(taken.flat()).size).toBe(400);
});
