import { type Account, defaultSettings, versionOf } from "@headwater/contracts";
import { fromRow } from "@headwater/records/contacts/contactDocument";
import { mergeExplicitly, splitChannels } from "@headwater/records/contacts/explicitMerge";
import { BatchState } from "@headwater/records/unitOfWork/batchState";
import { emptyRows } from "@headwater/records/unitOfWork/loadedRows";
import { MemoryState } from "@headwater/testing";
import { describe, expect, test } from "vitest";
import type { Body } from "./schema.ts";
import { upsertContact } from "./upsertContact.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };

/** One system whose records get versions in order of arrival, or a time of their own. */
function system() {
  const state = new MemoryState();
  let offset = 0;
  const send = (body: Body, { time, partition = 0 }: { time?: number; partition?: number } = {}) => {
    offset++;
    const version = versionOf(time ?? 1_000_000 + offset, { lane: 1, partition, offset, place: 0 });
    const record = { id: `r${offset}:0:0`, receivedAt: 0, contact: body };
    const [outcome] = state.apply(account, [{ operation: upsertContact, record, version }]);
    return outcome;
  };
  const live = () =>
    [...state.contacts.values()].filter(({ mergedInto }) => mergedInto === null).map((row) => fromRow(row));
  const ownerOf = (name: string, value: string) => {
    const owner = state.owners.get(`1\n${name}\n${value}`);
    return owner === undefined ? undefined : (state.aliases.get(owner) ?? owner);
  };
  return { state, send, live, ownerOf };
}

const attributes = { plan: "free" };
const create = { canBeCreated: true, canBeUpdated: true } as const;

describe("which contact a record meets", () => {
  test("E1: an unknown contact with canBeCreated is created with all its identifiers", () => {
    const { send, live, ownerOf } = system();
    expect(send({ identifiers: { email: " Ann@X.org ", customer_id: 7 }, attributes, ...create })?.kind).toBe(
      "applied",
    );
    expect(live()).toHaveLength(1);
    expect(ownerOf("email", "ann@x.org")).toBe(ownerOf("customer_id", "7"));
  });

  test("E2: an unknown contact without canBeCreated is not found, and nothing is made", () => {
    const { send, live } = system();
    expect(send({ identifiers: { email: "a@x" } })).toMatchObject({
      kind: "rejected",
      code: "CONTACTS_CONTACT_NOT_FOUND",
    });
    expect(live()).toHaveLength(0);
  });

  test("E3: a name the contact does not have is attached, also without canBeUpdated", () => {
    const { send, ownerOf } = system();
    send({ identifiers: { email: "a@x" }, attributes, ...create });
    expect(send({ identifiers: { email: "a@x", phone: "+44 20 7946 0018" } })?.kind).toBe("applied");
    expect(ownerOf("phone", "+442079460018")).toBe(ownerOf("email", "a@x"));
  });

  test("E4: the priority of the record beats the order of the account", () => {
    const { send, ownerOf, live } = system();
    send({ identifiers: { email: "a@x" }, attributes, ...create });
    send({ identifiers: { customer_id: "7" }, attributes, ...create });
    const body = { identifiers: { email: "a@x", customer_id: "7" }, attributes: { plan: "paid" }, canBeUpdated: true };
    const outcome = send({ ...body, identifiersPriority: ["customer_id"] });
    expect(outcome).toMatchObject({ kind: "applied", contact: ownerOf("customer_id", "7") });
    const plans = new Map(live().map((contact) => [contact.number, contact.attributes.get("plan")?.value]));
    expect(plans.get(ownerOf("customer_id", "7") ?? 0)).toBe("paid");
    expect(plans.get(ownerOf("email", "a@x") ?? 0)).toBe("free");
  });

  test("E5: several hits without a merge apply to the first, with a warning and nothing attached", () => {
    const { send, ownerOf } = system();
    send({ identifiers: { email: "a@x" }, attributes, ...create });
    send({ identifiers: { customer_id: "7" }, attributes, ...create });
    const outcome = send({
      identifiers: { email: "a@x", customer_id: "7", phone: "123" },
      attributes: { plan: "paid" },
      canBeUpdated: true,
    });
    expect(outcome).toMatchObject({ kind: "applied", contact: ownerOf("email", "a@x") });
    expect(outcome?.kind === "applied" && [...outcome.warnings]).toEqual(["IDENTITY_CONFLICT", "NOT_AN_ADDRESS"]);
    expect(ownerOf("phone", "123")).toBeUndefined();
  });

  test("E6: two contacts merge into the one created first, each member with its later version", () => {
    const { send, live, ownerOf } = system();
    send({ identifiers: { email: "a@x" }, attributes: { plan: "free", a: 1 }, ...create });
    send({ identifiers: { customer_id: "7" }, attributes: { plan: "paid", b: 2 }, ...create });
    const merged = send({ identifiers: { email: "a@x", customer_id: "7" }, mergeOptions: { mergeAllowed: true } });
    expect(merged).toMatchObject({ kind: "applied", contact: 1 });
    const [survivor, ...others] = live();
    expect(others).toHaveLength(0);
    expect(survivor?.number).toBe(1);
    expect([...(survivor?.attributes ?? [])].map(([name, { value }]) => [name, value]).sort()).toEqual([
      ["a", 1],
      ["b", 2],
      ["plan", "paid"],
    ]);
    expect(ownerOf("customer_id", "7")).toBe(1);
  });

  test("E7: different values of a secondary key that is not listed stop the merge", () => {
    const { send, live } = system();
    send({ identifiers: { email: "a@x", customer_id: "1" }, attributes, ...create });
    send({ identifiers: { phone: "123", customer_id: "2" }, attributes, ...create });
    const outcome = send({
      identifiers: { email: "a@x", phone: "123" },
      attributes: { plan: "paid" },
      canBeUpdated: true,
      mergeOptions: { mergeAllowed: true },
    });
    expect(outcome?.kind === "applied" && [...outcome.warnings]).toEqual(["MERGE_CONFLICT", "NOT_AN_ADDRESS"]);
    expect(live()).toHaveLength(2);
  });

  test("E8: a secondary key that is listed may be overwritten, and both values find the contact", () => {
    const { send, live, ownerOf } = system();
    send({ identifiers: { email: "a@x", customer_id: "1" }, attributes, ...create });
    send({ identifiers: { phone: "123", customer_id: "2" }, attributes, ...create });
    const mergeOptions = { mergeAllowed: true, mergeableSecondaryKeys: ["customer_id"] };
    send({ identifiers: { email: "a@x", phone: "123" }, mergeOptions });
    expect(live()).toHaveLength(1);
    expect(ownerOf("customer_id", "1")).toBe(ownerOf("customer_id", "2"));
  });

  test("E9: a chain A-B then B-C ends in one contact, and every dead number names the survivor", () => {
    const { send, live, state } = system();
    send({ identifiers: { email: "a@x" }, attributes, ...create });
    send({ identifiers: { phone: "123" }, attributes, ...create });
    send({ identifiers: { customer_id: "7" }, attributes, ...create });
    const mergeOptions = { mergeAllowed: true };
    send({ identifiers: { phone: "123", customer_id: "7" }, mergeOptions });
    send({ identifiers: { email: "a@x", phone: "123" }, mergeOptions });
    expect(live().map(({ number }) => number)).toEqual([1]);
    expect([...state.aliases].sort()).toEqual([
      [2, 1],
      [3, 1],
    ]);
  });

  test("E9b: a late record to a dead cID applies to the survivor", () => {
    const { send, live, state } = system();
    send({ identifiers: { email: "a@x" }, attributes, ...create });
    send({ identifiers: { phone: "123" }, attributes, ...create });
    send({ identifiers: { email: "a@x", phone: "123" }, mergeOptions: { mergeAllowed: true } });
    const dead = [...state.contacts.values()].find(({ number }) => number === 2)?.cid ?? "";
    expect(send({ identifiers: { cID: dead }, attributes: { plan: "late" }, canBeUpdated: true })).toMatchObject({
      contact: 1,
    });
    expect(live()[0]?.attributes.get("plan")?.value).toBe("late");
  });

  test("E10: an explicit merge keeps the destination, takes the side that was named, and is stopped by nothing", () => {
    const { send, live } = system();
    send({ identifiers: { email: "a@x", customer_id: "1" }, attributes: { plan: "source" }, ...create });
    send({ identifiers: { email: "b@x", customer_id: "2" }, attributes: { plan: "destination" }, ...create });
    const [source, destination] = live();
    if (source === undefined || destination === undefined) throw new Error("two contacts were made");
    const rows = emptyRows();
    rows.membershipsOf.set(source.number, []);
    for (const { number } of [source, destination]) rows.carts.set(number, null);
    const batch = new BatchState(rows);
    const origin = {
      account,
      recordId: "m",
      version: versionOf(2e6, { lane: 255, partition: 0, offset: 1, place: 0 }),
    };
    mergeExplicitly(batch.of(1), { source, destination, attributes: "sourceContact" }, origin);
    expect(source.mergedInto).toBe(destination.number);
    expect(destination.attributes.get("plan")?.value).toBe("source");
    expect(destination.identifiers.get("email")).toEqual(["b@x", "a@x"]);
    expect(batch.changes().merges).toHaveLength(1);
  });

  test("E11: after a split the old record, sent again, changes nothing of what was written since", () => {
    const { send, live, state } = system();
    send({
      identifiers: { customer_id: "1" },
      attributes: { plan: "new", channels: { email: { address: "a@x" } } },
      ...create,
    });
    const [contact] = live();
    if (contact === undefined) throw new Error("a contact was made");
    const rows = emptyRows();
    rows.numbers.push(99);
    const batch = new BatchState(rows);
    const origin = {
      account,
      recordId: "s",
      version: versionOf(2e6, { lane: 255, partition: 0, offset: 1, place: 0 }),
    };
    const { contact: created } = splitChannels(batch.of(1), contact, ["email"], origin);
    expect(created.identifiers.get("email")).toEqual(["a@x"]);
    expect(contact.identifiers.has("email")).toBe(false);
    expect(state.contacts.size).toBe(1);
    const old = { customer_id: "1" };
    const again = send({ identifiers: old, attributes: { plan: "old" }, canBeUpdated: true }, { time: 10 });
    expect(again).toMatchObject({ kind: "skipped", code: "SUPERSEDED" });
  });

  test("E12: two partitions that create the same e-mail at once end in one contact", () => {
    const { send, live } = system();
    send({ identifiers: { email: "a@x" }, attributes: { plan: "one" }, ...create }, { partition: 0, time: 5 });
    send(
      { identifiers: { customer_id: "7", email: "a@x" }, attributes: { plan: "two" }, ...create },
      { partition: 1, time: 4 },
    );
    expect(live()).toHaveLength(1);
    expect(live()[0]?.attributes.get("plan")?.value).toBe("one");
  });
});

test("an address is shown in its canonical form, whichever member brought it, and what is no address as it came", () => {
  const { send, live } = system();
  const channels = {
    email: { address: " Bob@Example.COM " },
    sms: { address: "+44 20 7946 0018" },
    push: { address: " T1 " },
  };
  send({ identifiers: { email: " Ann@X.org " }, attributes, ...create });
  send({ identifiers: { customer_id: 7 }, attributes: { channels }, ...create });
  send({
    identifiers: { customer_id: 8 },
    attributes: { email: "Cid@X.ORG", phone: "+1 (202) 555-0143", note: "A@B" },
    ...create,
  });
  const view = live().map((contact) => ({
    identifiers: [contact.identifiers.get("email")?.[0], contact.identifiers.get("phone")?.[0]],
    channels: ["email", "sms", "push"].map((name) => contact.channels.get(name)?.address?.value),
    attributes: ["email", "phone", "note"].map((name) => contact.attributes.get(name)?.value),
  }));
  const none = [undefined, undefined, undefined];
  expect(view).toEqual([
    { identifiers: ["ann@x.org", undefined], channels: none, attributes: none },
    {
      identifiers: ["bob@example.com", "+442079460018"],
      channels: ["bob@example.com", "+442079460018", " T1 "],
      attributes: none,
    },
    { identifiers: ["cid@x.org", "+12025550143"], channels: none, attributes: ["cid@x.org", "+12025550143", "A@B"] },
  ]);
});
