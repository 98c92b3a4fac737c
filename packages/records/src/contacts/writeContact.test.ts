import { type Account, defaultSettings, type shapes, versionOf } from "@headwater/contracts";
import { loggedOperations } from "@headwater/intake/operations/registry";
import { MemoryState } from "@headwater/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { setCart } from "../carts/setCart.ts";
import { writeContact } from "./writeContact.ts";

const account: Account = {
  number: 1,
  id: "a".repeat(24),
  name: "test",
  settings: defaultSettings,
  attributes: new Map([
    ["n", { type: "number" as const, validators: { max: 5 } }],
    ["tags", { type: "array" as const, maxItems: 2 }],
  ]),
};

const email = fc.constantFrom("a@x", "b@x", "c@x");
const tags = fc.array(fc.constantFrom("x", "y", "z"), { maxLength: 3 });
const contact = fc.record(
  {
    identifiers: fc.record({ email, customer_id: fc.constantFrom(1, 2) }, { requiredKeys: ["email"] }),
    attributes: fc.record(
      {
        n: fc.constantFrom("1", 2, "9", null, "many"),
        tags: fc.oneof(tags, fc.record({ add: tags }), fc.constant("x")),
        customer_id: fc.constantFrom("1", "2"),
        free: fc.constantFrom("p", 1, null),
      },
      { requiredKeys: [] },
    ),
    canBeCreated: fc.boolean(),
    canBeUpdated: fc.boolean(),
    mergeOptions: fc.record({ mergeAllowed: fc.boolean() }),
    forceSubscribe: fc.boolean(),
  },
  { requiredKeys: ["identifiers"] },
);
const line = { productID: "p", sku: "1", category: "c", name: "n" };
const write = fc.oneof(
  fc.record({ kind: fc.constant("contact" as const), contact }),
  fc.record({ kind: fc.constant("list" as const), email, present: fc.boolean() }),
  fc.record({ kind: fc.constant("cart" as const), email, qty: fc.integer({ min: 1, max: 3 }), add: fc.boolean() }),
);
type Write = typeof write extends fc.Arbitrary<infer Of> ? Of : never;

/** Writes it as a record of the log. */
function throughLog(state: MemoryState, of: Write, at: number): void {
  const [name, members] = toRecord(of);
  const operation = loggedOperations.find((one) => one.name === name);
  if (operation === undefined) throw new Error(`no operation ${name}`);
  const record = { id: `r${at}:0:0`, receivedAt: 0, ...members };
  state.apply(account, [{ operation, record, version: versionAt(at) }]);
}

function toRecord(of: Write): [string, object] {
  if (of.kind === "contact") return ["upsertContact", { contact: of.contact }];
  const named = { identifiers: { email: of.email } };
  if (of.kind === "list")
    return [of.present ? "addContactsToList" : "removeContactsFromList", { contact: named, listName: "vip" }];
  const product = of.add ? { ...line, qty: of.qty } : { productID: "p", sku: "1", qty: of.qty };
  return [of.add ? "addProductsToCart" : "removeProductsFromCart", { contact: named, products: [product] }];
}

/** Writes it as a call of `/v2`. */
function throughApi(state: MemoryState, of: Write, at: number): void {
  const origin = { account, recordId: `r${at}:0:0`, version: versionAt(at) };
  state.write(account, (fold) => {
    if (of.kind === "contact") return writeContact(fold, { contact: of.contact, lists: {} }, origin);
    const found = fold.find({ name: "email", value: of.email });
    if (found === undefined) return undefined;
    const identifiers = { cID: found.cid };
    if (of.kind === "list") return writeContact(fold, { contact: { identifiers }, lists: { vip: of.present } }, origin);
    const request = of.add
      ? { kind: "add" as const, line: { ...line, qty: of.qty } }
      : { kind: "remove" as const, line: { productID: "p", sku: "1", qty: of.qty } };
    return setCart(fold, found.number, request, origin);
  });
}

const versionAt = (at: number) => versionOf(at, { lane: 1, partition: 0, offset: at, place: 0 });

function fresh(): MemoryState {
  const state = new MemoryState();
  state.defineList(1, { id: 1, name: "vip", clearedVersion: undefined });
  return state;
}

/** Carts as they read: a call that finds nothing to take out leaves a version. */
function seen(state: MemoryState): unknown {
  const carts = [...state.carts].flatMap(([of, { doc }]) => (JSON.parse(doc).lines.length > 0 ? [[of, doc]] : []));
  return [[...state.contacts].sort(), [...state.owners].sort(), [...state.memberships].sort(), carts.sort()];
}

describe("writes of intake and /v2", () => {
  test("end in one state, whichever way each of them comes", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(write, fc.boolean()), { maxLength: 12 }), (writes) => {
        const [mixed, logged] = [fresh(), fresh()];
        for (const [index, [of, isApi]] of writes.entries()) {
          const at = 1_000 + index;
          (isApi ? throughApi : throughLog)(mixed, of, at);
          throughLog(logged, of, at);
        }
        expect(seen(mixed)).toEqual(seen(logged));
      }),
      { numRuns: 500 },
    );
  });
});

describe("a refused or conflicting write of /v2", () => {
  const write = (
    state: MemoryState,
    contact: shapes.ContactWrite,
    lists: Record<string, boolean>,
    strictLists = true,
  ) => {
    const strict = { ...account, settings: { ...defaultSettings, strictLists } };
    return state.write(strict, (fold) =>
      writeContact(fold, { contact, lists }, { account: strict, recordId: "r:0:0", version: versionAt(2_000) }),
    );
  };
  const ann = { identifiers: { email: "a@x" as const }, attributes: { free: 1 }, canBeCreated: true };

  test("names every list that is not there", () => {
    const lists = { nope: true, no: false, never: true };
    expect(write(fresh(), ann, lists)).toMatchObject({
      code: "ACCOUNT_LISTS_NOT_FOUND",
      message: "2 of the lists do not exist, and the account accepts only existing lists.",
      lists: ["nope", "never"],
    });
    expect(write(fresh(), ann, lists, false)).toMatchObject({
      code: "ACCOUNT_LISTS_EXCEEDED",
      lists: ["nope", "never"],
    });
  });

  test("names the identifiers that another contact keeps", () => {
    const state = fresh();
    throughLog(state, { kind: "contact", contact: ann }, 1);
    const bob = { ...ann, identifiers: { email: "b@x" as const, customer_id: 1 as const } };
    throughLog(state, { kind: "contact", contact: bob }, 2);
    const conflictsOf = (contact: shapes.ContactWrite) => {
      const written = write(state, { ...contact, canBeUpdated: true }, {});
      return written.kind === "written" ? [...written.conflicts] : undefined;
    };
    expect(conflictsOf({ identifiers: { email: "a@x" }, attributes: { customer_id: 1, free: 2 } })).toEqual([
      "customer_id",
    ]);
    expect(conflictsOf({ identifiers: { email: "a@x", customer_id: 1 }, attributes: { free: 3 } })).toEqual([
      "customer_id",
    ]);
    expect(conflictsOf({ identifiers: { email: "a@x" }, attributes: { free: 4 } })).toEqual([]);
  });
});

describe("a cart that is set", () => {
  test("is refused whole when it has more lines than a cart may have", () => {
    const state = fresh();
    throughLog(
      state,
      { kind: "contact", contact: { identifiers: { email: "a@x" }, attributes: { free: 1 }, canBeCreated: true } },
      1,
    );
    const lines = Array.from({ length: 1_001 }, (_, n) => ({ ...line, sku: String(n), qty: 1 }));
    const { left } = state.write(account, (fold) =>
      setCart(
        fold,
        1,
        { kind: "set", fresh: true, members: {}, lines },
        { account, recordId: "r", version: versionAt(2) },
      ),
    );
    expect([left, state.carts.size]).toEqual([1, 0]);
  });
});
