import { type Account, defaultSettings, versionOf } from "@headwater/contracts";
import { MemoryState } from "@headwater/testing";
import { expect, test } from "vitest";
import type { Body } from "./schema.ts";
import { upsertContact } from "./upsertContact.ts";

const account: Account = {
  ...{ number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings },
  attributes: new Map([["customer_id", { type: "number" }]]),
};
const create = { canBeCreated: true, canBeUpdated: true } as const;

function system() {
  const state = new MemoryState();
  let offset = 0;
  const send = (body: Body) => {
    offset++;
    const version = versionOf(1_000_000 + offset, { lane: 1, partition: 0, offset, place: 0 });
    const record = { id: `r${offset}:0:0`, receivedAt: 0, contact: body };
    const [outcome] = state.apply(account, [{ operation: upsertContact, record, version }]);
    return outcome;
  };
  return { send, ownerOf: (name: string, value: string) => state.owners.get(`1\n${name}\n${value}`) };
}

test("an attribute cID is an attribute like any other, and finds nobody", () => {
  const { send, ownerOf } = system();
  for (const email of ["a@x.example", "b@x.example"]) {
    expect(send({ identifiers: { email }, attributes: { cID: "abc" }, ...create })).toMatchObject({ kind: "applied" });
  }
  expect(ownerOf("cID", "abc")).toBeUndefined();
});

test("an identifier written as an attribute is the one of its declared type", () => {
  const { send, ownerOf } = system();
  send({ identifiers: { email: "a@x.example" }, attributes: { customer_id: "007" }, ...create });
  const owner = ownerOf("customer_id", "7");
  expect(owner).toBeDefined();
  expect(ownerOf("customer_id", "007")).toBeUndefined();
  const taken = send({ identifiers: { email: "b@x.example" }, attributes: { customer_id: "0007" }, ...create });
  expect(taken).toMatchObject({ kind: "applied", warnings: new Set(["IDENTITY_CONFLICT"]) });
  expect(ownerOf("customer_id", "7")).toBe(owner);
});

test("an attribute that claims the identifier of another contact warns of an identity conflict, also where the two may not be merged", () => {
  const { send } = system();
  send({ identifiers: { email: "a@x.example", customer_id: 1 }, ...create });
  send({ identifiers: { email: "b@x.example", customer_id: 2 }, ...create });
  const claim = { identifiers: { email: "a@x.example" }, attributes: { email: "b@x.example", plan: "gold" } };
  const claimed = send({ ...claim, ...create, mergeOptions: { mergeAllowed: true } });
  expect(claimed).toMatchObject({ kind: "applied", warnings: new Set(["IDENTITY_CONFLICT"]) });
  const hits = { identifiers: { email: "a@x.example", customer_id: 2 }, attributes: { plan: "free" } };
  const conflict = send({ ...hits, ...create, mergeOptions: { mergeAllowed: true } });
  expect(conflict).toMatchObject({ kind: "applied", warnings: new Set(["MERGE_CONFLICT"]) });
});
