import { afterAll, beforeAll, expect, test } from "vitest";
import { type MemoryStream, startMemoryStream } from "../../intake/projector/memoryStream.ts";

let stream: MemoryStream;
beforeAll(async () => {
  stream = await startMemoryStream();
});
afterAll(() => stream.drop());

let created = 0;
/** @returns the records' ids. */
function append(contacts: readonly object[], operation = "upsertContact"): string[] {
  const receivedAt = stream.clock.nowMs();
  const records = contacts.map((contact) => ({ id: `bound-${created++}:0:0`, receivedAt, contact }));
  stream.append(operation, records);
  return records.map(({ id }) => id);
}

const by = (email: string, attributes: object, more: object = {}) => {
  return { identifiers: { email }, attributes, canBeCreated: true, canBeUpdated: true, ...more };
};

async function docOf(email: string): Promise<string> {
  const text = `SELECT c.doc FROM contact_identifiers i JOIN contacts c ON c.account = i.account AND c.number = i.contact
    WHERE i.account = $1 AND i.name = 'email' AND i.value = $2`;
  const [row] = await stream.postgres.query<{ doc: string }>({ text }, [stream.account.number, email]);
  return row?.doc ?? "";
}

async function codes(ids: readonly string[]): Promise<(string | undefined)[]> {
  const text = "SELECT record_id, code FROM rejects WHERE account = $1";
  const rows = await stream.postgres.query<{ record_id: string; code: string }>({ text }, [stream.account.number]);
  return ids.map((id) => rows.find((row) => row.record_id === id)?.code);
}

const MIB = 1024 * 1024;
const large = "x".repeat(250_000);
const attribute = (n: number) => ({ [`large${n}`]: large });
const range = (count: number) => Array.from({ length: count }, (_, n) => n);

test("a contact grows to its bound; beyond it the record is refused with a code of its own, and its neighbours are applied", async () => {
  for (const n of range(8)) append([by("big@example.com", attribute(n))]);
  await stream.apply();
  const ids = append([
    by("before@example.com", { plan: "x" }),
    by("big@example.com", attribute(8)),
    by("big@example.com", { ...attribute(9), small: 1 }),
    by("behind@example.com", { plan: "x" }),
  ]);
  await stream.apply();
  expect(await codes(ids)).toEqual([undefined, "CONTACT_TOO_LARGE", "CONTACT_TOO_LARGE", undefined]);
  expect(await docOf("big@example.com")).not.toContain("small");
  expect((await docOf("big@example.com")).length).toBeLessThanOrEqual(2 * MIB);
  expect(await docOf("before@example.com")).toContain("plan");
  expect(await docOf("behind@example.com")).toContain("plan");
});

test("a contact at its bound takes what does not make it larger, and small things until it is full", async () => {
  const ids = append([
    by("big@example.com", { large1: "y".repeat(250_000) }),
    by("big@example.com", { large2: { add: [large] } }),
    by("big@example.com", { large0: null }),
    by("big@example.com", attribute(10)),
    by("big@example.com", attribute(11)),
  ]);
  await stream.apply();
  expect(await codes(ids)).toEqual([undefined, "CONTACT_TOO_LARGE", undefined, undefined, "CONTACT_TOO_LARGE"]);
});

test("a contact that is larger than its bound since before is shrunk and unsubscribed, and nothing is added to it", async () => {
  append([by("old@example.com", { big: "old" })]);
  await stream.apply();
  const grown = `UPDATE contacts SET doc = replace(doc, '"old"', '"' || repeat('x', 5000000) || '"') WHERE doc LIKE '%"old"%'`;
  await stream.postgres.execute({ text: grown });
  const ids = append([
    by("old@example.com", { plan: "more" }),
    by("old@example.com", { channels: { email: { subscribeStatus: "unsubscribed" } } }),
    by("old@example.com", { big: null }),
    by("old@example.com", { plan: "again" }),
  ]);
  await stream.apply();
  expect(await codes(ids)).toEqual(["CONTACT_TOO_LARGE", undefined, undefined, undefined]);
  const doc = await docOf("old@example.com");
  expect(doc.length).toBeLessThan(1_000);
  expect(doc).toContain("unsubscribed");
  expect(doc).toContain("again");
});

test("a contact has a bound of attributes, of identifiers and of channels", async () => {
  const many = (count: number, name: string) => Object.fromEntries(range(count).map((n) => [`${name}${n}`, 1]));
  const channels = (from: number) =>
    Object.fromEntries(range(600).map((n) => [`c${from + n}`, { subscribeStatus: "subscribed" }]));
  const names = (from: number) => Object.fromEntries(range(60).map((n) => [`id${from + n}`, "v"]));
  const grow = range(17).map((n) => ({ identifiers: { ...names(n * 60), email: "wide@example.com" } }));
  const first = append([by("wide@example.com", many(3_000, "a"))]);
  const ids = append([
    by("wide@example.com", many(3_000, "b")),
    by("wide@example.com", many(3_000, "a")),
    by("wide@example.com", { channels: channels(0) }),
    by("wide@example.com", { channels: channels(600) }),
  ]);
  const attached = append(grow);
  await stream.apply();
  expect(await codes([...first, ...ids])).toEqual([
    undefined,
    "CONTACT_ATTRIBUTES_EXCEEDED",
    undefined,
    undefined,
    "CONTACT_IDENTIFIERS_EXCEEDED",
  ]);
  const refused = (await codes(attached)).filter((code) => code !== undefined);
  expect(refused).toEqual(["CONTACT_IDENTIFIERS_EXCEEDED"]);
});

test("contacts that together are larger than one may be are not merged", async () => {
  for (const n of range(5))
    append([by("left@example.com", attribute(n)), { ...by("", attribute(n)), identifiers: { phone: "+4930123" } }]);
  await stream.apply();
  const mergeOptions = { mergeAllowed: true };
  const both = {
    identifiers: { email: "left@example.com", phone: "+4930123" },
    attributes: { joined: true },
    canBeUpdated: true,
  };
  const ids = append([{ ...both, mergeOptions }]);
  const record = { id: `bound-${created++}:0:0`, receivedAt: stream.clock.nowMs() };
  const pair = {
    contact: { identifiers: { email: "left@example.com" } },
    previous: { identifiers: { phone: "+4930123" } },
  };
  stream.append("mergeContacts", [{ ...record, ...pair }]);
  await stream.apply();
  expect(await codes([...ids, record.id])).toEqual([undefined, "CONTACT_TOO_LARGE"]);
  const text = "SELECT count(*) AS count FROM contacts WHERE account = $1 AND merged_into IS NOT NULL";
  expect(await stream.postgres.query({ text }, [stream.account.number])).toEqual([{ count: 0 }]);
});
