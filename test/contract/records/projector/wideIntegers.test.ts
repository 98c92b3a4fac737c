import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { createSupplement } from "@headwater/records/supplements/supplements";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMemorySinks } from "../../intake/projector/memorySinks.ts";
import { type MemoryStream, startMemoryStream } from "../../intake/projector/memoryStream.ts";
import { type Fresh, freshClickHouse } from "../../stores/fresh.ts";

let stream: MemoryStream;
let fresh: Fresh<ClickHouse>;

/** Id of a sender that was written as a number, beyond 64 bits. */
const WIDE = Number("108476845404192600000");
const DIGITS = "108476845404192600000";
const TIME = "2026-01-01T00:00:00Z";
const noted = { wide: WIDE, note: "kept", deep: [{ wide: -WIDE }] };
const contact = { identifiers: { email: "ada@example.com" }, canBeCreated: true };

beforeAll(async () => {
  [stream, fresh] = await Promise.all([startMemoryStream(), freshClickHouse()]);
  const flags = { contactObject: true, autogenerateIDs: false };
  const table = { account: stream.account.number, key: "cars", indexes: [], createdAt: 0, ...flags };
  await createSupplement(stream.postgres, table);
  append("upsertContact", { contact: { ...contact, attributes: { list: [WIDE, "kept"], alone: WIDE } } });
  append("createContactactivities", { contact, event: { name: "visit", time: TIME, properties: noted } });
  append("upsertOrder", { contact, order: { orderID: "o1", date: TIME, properties: noted, items: [] } });
  append("addProductsToCart", { contact, products: [{ productID: "p", sku: "s", qty: 1, properties: noted }] });
  append("upsertSupplementsRecords", { supplement: "cars", record: { id: "car", email: "ada@example.com", ...noted } });
  await stream.apply();
  const sinks = createMemorySinks(stream, fresh.store);
  await sinks.activities();
  await sinks.publish();
  await sinks.history();
});
afterAll(async () => {
  await stream.drop();
  await fresh.drop();
});

function append(operation: string, members: object): void {
  stream.append(operation, [{ id: `${operation}:0:0`, receivedAt: stream.clock.nowMs(), ...members }]);
}

test.each([
  ["activities", "properties", ""],
  ["orders_current", "document", "'properties', "],
  ["orders_history", "document", "'properties', "],
  ["carts_current", "document", "'items', 1, 'properties', "],
  ["carts_history", "document", "'items', 1, 'properties', "],
  ["supplement_records_current", "document", ""],
  ["supplement_records_history", "document", ""],
])("an integer beyond 64 bits hides no other member of a document of %s", async (table, column, path) => {
  const [row] = await fresh.store.query<{ note: string; number: number; deep: number; digits: string }>(`
    SELECT JSONExtractString(${column}, ${path}'note') AS note, JSONExtractFloat(${column}, ${path}'wide') AS number,
      JSONExtractFloat(${column}, ${path}'deep', 1, 'wide') AS deep, JSONExtract(${column}, ${path}'wide', 'Nullable(String)') AS digits
    FROM ${table}`);
  expect(row).toEqual({ note: "kept", number: WIDE, deep: -WIDE, digits: DIGITS });
});

test("an integer beyond 64 bits hides no other element of an attribute, and alone keeps its digits", async () => {
  const rows = await fresh.store.query<{ field: string; text: string; elements: readonly string[] }>(`
    SELECT field, text, JSONExtract(text, 'Array(Nullable(String))') AS elements FROM contact_fields_current
    WHERE field LIKE 'attributes.%' ORDER BY field`);
  expect(rows).toEqual([
    { field: "attributes.alone", text: DIGITS, elements: [] },
    { field: "attributes.list", text: `[${DIGITS}.0,"kept"]`, elements: [DIGITS, "kept"] },
  ]);
});
