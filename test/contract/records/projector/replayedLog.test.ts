import { retryOnConflict } from "@headwater/postgres/connection/writeConflict";
import { readContactByIdentifiers } from "@headwater/records/contacts/contactReads";
import { splitContact } from "@headwater/records/contacts/splitContact";
import { writeState } from "@headwater/records/writes/writeState";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type MemoryStream, startMemoryStream } from "../../intake/projector/memoryStream.ts";

let stream: MemoryStream;
beforeAll(async () => {
  stream = await startMemoryStream();
});
afterAll(() => stream.drop());

let sent = 0;
function send(contact: object, operation = "upsertContact", more: object = {}) {
  sent += 1;
  stream.append(operation, [{ id: `request${sent}:0:0`, receivedAt: stream.clock.nowMs(), contact, ...more }]);
}
const whole = { attributes: { plan: "gold" }, canBeCreated: true, canBeUpdated: true };
const find = (name: string, value: string) =>
  readContactByIdentifiers(stream.postgres, stream.account.number, [{ name, value }]);

/** The log is read once more from its beginning, over the state as it is. */
async function readAgain(): Promise<void> {
  const text = "UPDATE stream_offsets SET next_offset = 0, window_from = 0, last_record_id = NULL, greatest_time = 0";
  await stream.postgres.execute({ text });
  await stream.apply();
}

/** One of each, so that whatever a record leaves behind is there when it comes again. */
const items = [{ productID: "p", sku: "s", name: "n", qty: 1 }];
const others = {
  createContactactivities: { event: { name: "visit", time: "2026-01-01T00:00:00Z", UID: "u" } },
  upsertOrder: { order: { orderID: "o", purchaseDate: "2026-01-01", items } },
  addProductsToCart: { products: [{ ...items[0], category: "c" }], cart: {} },
  addContactsToList: { listName: "vip" },
  removeContactsFromList: { listId: 999 },
  mergeContacts: { previous: { identifiers: { anonymousId: "x" } } },
};

function split(): Promise<unknown> {
  const { account, clock, postgres } = stream;
  return retryOnConflict(() =>
    postgres.transaction((transaction) =>
      writeState({ transaction, nowMs: clock.nowMs() }, account, {
        kind: "split",
        recordId: "split:0:0",
        fold: (state, origin) => {
          const contact = state.find({ name: "customer_id", value: "17" });
          const split = contact && splitContact(state, contact, ["email"], origin);
          return { changeEvents: split?.kind === "split" ? split.changeEvents : [] };
        },
      }),
    ),
  );
}

test("the whole log is read again over a state in which a merge was split: nothing stops, and both stay apart", async () => {
  const both = { customer_id: "17", email: "ada@example.com" };
  send({ identifiers: { customer_id: "17" }, ...whole });
  send({ identifiers: { email: "ada@example.com" }, ...whole });
  send({ identifiers: both, mergeOptions: { mergeAllowed: true } });
  send({ identifiers: both, attributes: { plan: "both" }, canBeUpdated: true, mergeOptions: { mergeAllowed: true } });
  for (const [operation, more] of Object.entries(others)) send({ identifiers: both }, operation, more);
  await stream.apply();
  expect((await find("email", "ada@example.com"))?.number).toBe((await find("customer_id", "17"))?.number);
  stream.clock.advance(1_000);
  await split();
  const apart = await find("email", "ada@example.com");
  expect(apart?.number).not.toBe((await find("customer_id", "17"))?.number);

  await readAgain();
  await readAgain();
  expect((await find("email", "ada@example.com"))?.number).toBe(apart?.number);
  const merges = { text: "SELECT count(*) AS n FROM merges" };
  expect(await stream.postgres.query(merges)).toEqual([{ n: 1 }]);
});

const contacts = () =>
  stream.postgres.query<object>({
    text: `SELECT number, version, merged_into, doc FROM contacts UNION ALL
      SELECT contact, NULL, NULL, name || value FROM contact_identifiers ORDER BY 1, 4`,
  });

test("the whole log is read again after addresses were changed, freed and taken by others: every contact is as it was", async () => {
  send({ identifiers: { email: "bo@example.com" }, ...whole });
  send({
    identifiers: { email: "bo@example.com" },
    attributes: { city: "Oslo" },
    canBeUpdated: true,
    canBeCreated: true,
  });
  send({ identifiers: { email: "bo@example.com" } }, "createContactactivities", others.createContactactivities);
  send({ identifiers: { email: "bo@example.com" }, attributes: { email: "bo@example.org" }, canBeUpdated: true });
  send({ identifiers: { email: "bo@example.com" }, attributes: { plan: "silver" }, canBeCreated: true });
  send({ identifiers: { customer_id: "18", email: "cy@example.com" }, ...whole });
  send({ identifiers: { customer_id: "18" }, attributes: { email: null }, canBeUpdated: true });
  await stream.apply();
  const before = await contacts();
  const [earlier, later] = [await find("email", "bo@example.org"), await find("email", "bo@example.com")];
  expect(later?.number).not.toBe(earlier?.number);

  await readAgain();
  expect(await contacts()).toEqual(before);
});

test("a record that merges three contacts, of which one had taken another's identifier by then, leaves each known for its time", async () => {
  send({ identifiers: { anonymousId: "a1" }, ...whole });
  send({ identifiers: { customer_id: "20", email: "di@example.com" }, ...whole });
  send({ identifiers: { customer_id: "21" }, ...whole });
  await stream.apply();
  const second = await find("customer_id", "21");
  const mergeOptions = { mergeAllowed: true, mergeableSecondaryKeys: ["customer_id"] };
  send({ identifiers: { anonymousId: "a1", customer_id: "21", email: "di@example.com" }, mergeOptions });
  await stream.apply();
  const met = [await find("anonymousId", "a1"), await find("customer_id", "20"), await find("customer_id", "21")];
  expect(new Set(met.map((contact) => contact?.number)).size).toBe(1);
  const broken = { text: "SELECT record_id FROM rejects WHERE code = 'INTERNAL_ERROR'" };
  expect(await stream.postgres.query(broken)).toEqual([]);
  const formers = { text: "SELECT contact FROM former_identifiers WHERE name = 'customer_id' AND value = '21'" };
  expect(await stream.postgres.query(formers)).toEqual([{ contact: second?.number }]);

  const before = await contacts();
  await readAgain();
  expect(await contacts()).toEqual(before);
});
