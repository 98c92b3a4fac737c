import { type Account, defaultSettings, versionOf } from "@headwater/contracts";
import { loggedOperations } from "@headwater/intake/operations/registry";
import { MemoryState } from "@headwater/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromCartRow } from "../carts/cart.ts";
import { fromOrderRow } from "./orderDocument.ts";
import { createOrder, deleteOrder, updateOrder } from "./writeOrder.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "orders", settings: defaultSettings };

/** A state with two contacts, and both ways to it. */
function system() {
  const state = new MemoryState();
  let writes = 0;
  const next = (at?: number) => {
    writes += 1;
    const position = { lane: 1, partition: 0, offset: writes, place: 0 };
    return { account, recordId: `r${writes}:0:0`, version: versionOf(1_000 + (at ?? writes), position) };
  };
  const send = (name: string, members: object, at?: number) => {
    const operation = loggedOperations.find((candidate) => candidate.name === name);
    if (operation === undefined) throw new Error(`no operation ${name}`);
    const { recordId, version } = next(at);
    return state.apply(account, [{ operation, version, record: { id: recordId, receivedAt: 0, ...members } }])[0];
  };
  const write = (orderID: string, email: string, members: object) => {
    const request = { orderID, contact: { identifiers: { email } }, members: { ...members } };
    const origin = next();
    return state.write(account, (view) => {
      const created = createOrder(view, request, origin);
      return created.kind === "taken" ? updateOrder(view, request, origin) : created;
    });
  };
  const remove = (orderID: string) => {
    const origin = next();
    return state.write(account, (view) => deleteOrder(view, orderID, origin));
  };
  for (const email of ["a@x", "b@x"]) {
    send("upsertContact", { contact: { identifiers: { email }, attributes: { plan: "x" }, canBeCreated: true } });
  }
  return { state, send, write, remove };
}

const contactOf = (orderID: string) => (orderID === "o1" ? "a@x" : "b@x");
const items = fc.array(
  fc.record({ productID: fc.constantFrom("p", "q"), sku: fc.constant("s"), name: fc.constant("n") }),
  {
    minLength: 1,
    maxLength: 2,
  },
);
const orderMembers = fc.record(
  {
    purchaseDate: fc.constantFrom("2026-01-01", "2026-01-02"),
    items,
    status: fc.constantFrom("paid", "sent"),
    tax: fc.constantFrom("1", "2"),
    cartID: fc.constantFrom("c1", "c2"),
  },
  { requiredKeys: ["purchaseDate", "items"] },
);
const step = fc.oneof(
  fc.record({
    kind: fc.constant("order" as const),
    orderID: fc.constantFrom("o1", "o2"),
    members: orderMembers,
    viaIntake: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("delete" as const), orderID: fc.constantFrom("o1", "o2") }),
  fc.record({
    kind: fc.constant("cart" as const),
    email: fc.constantFrom("a@x", "b@x"),
    cartID: fc.constantFrom("c1", "c2"),
    qty: fc.integer({ min: 1, max: 3 }),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** Everything that anyone can see of orders and carts once all was done. */
function end(steps: readonly Step[], viaIntake: (step: Extract<Step, { kind: "order" }>) => boolean) {
  const { state, send, write, remove } = system();
  for (const one of steps) {
    if (one.kind === "delete") remove(one.orderID);
    else if (one.kind === "cart") {
      const products = [{ productID: "p", sku: "s", qty: one.qty, category: "c", name: "n" }];
      send("addProductsToCart", {
        contact: { identifiers: { email: one.email } },
        products,
        cart: { cartID: one.cartID },
      });
    } else if (viaIntake(one)) write(one.orderID, contactOf(one.orderID), one.members);
    else {
      const contact = { identifiers: { email: contactOf(one.orderID) } };
      send("upsertOrder", { contact, order: { orderID: one.orderID, ...one.members } });
    }
  }
  const orders = [...state.orders].map(([key, row]) => ({
    ...fromOrderRow(key, row),
    members: undefined,
    doc: row.doc,
  }));
  return { orders, carts: [...state.carts].map(([key, row]) => [key, fromCartRow(key, row)]) };
}

describe("orders through intake and /v2", () => {
  test("end in the same state, whichever way each of them takes", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const throughIntake = end(steps, () => false);
        expect(end(steps, () => true)).toEqual(throughIntake);
        expect(end(steps, ({ viaIntake }) => viaIntake)).toEqual(throughIntake);
      }),
    );
  });

  test("a deleted order is not brought back by a record that is older, and is by one that is newer", () => {
    const { state, send, write, remove } = system();
    const order = { orderID: "o1", purchaseDate: "2026-01-01", items: [] };
    const contact = { identifiers: { email: "b@x" } };
    expect(write("o1", "a@x", { purchaseDate: "2026-01-01", tax: "1" }).kind).toBe("written");
    expect(remove("o1").kind).toBe("written");
    expect([remove("o1").kind, remove("none").kind]).toEqual(["unknownOrder", "unknownOrder"]);
    expect(send("upsertOrder", { contact, order }, 1)).toMatchObject({ kind: "skipped", code: "SUPERSEDED" });
    expect(send("setOrderStatus", { contact, order: { orderID: "o1", status: "refunded" } })?.kind).toBe("applied");
    expect(remove("o1").kind).toBe("unknownOrder");
    expect(send("upsertOrder", { contact, order })?.kind).toBe("applied");
    const [row] = [...state.orders.values()];
    if (row === undefined) throw new Error("the order is stored");
    const { contact: owner, members } = fromOrderRow("o1", row);
    expect([owner, [...members.keys()].sort()]).toEqual([2, ["items", "purchaseDate", "status"]]);
  });

  test("are refused for an unknown contact, and made once", () => {
    const { write, state } = system();
    expect(write("o1", "nobody@x", { purchaseDate: "2026-01-01" }).kind).toBe("unknownContact");
    write("o1", "a@x", { purchaseDate: "2026-01-01" });
    const taken = state.write(account, (view) => {
      const request = { orderID: "o1", contact: { identifiers: { email: "a@x" } }, members: {} };
      return createOrder(view, request, {
        account,
        recordId: "r:0:0",
        version: versionOf(9_000, { lane: 1, partition: 0, offset: 9, place: 0 }),
      });
    });
    expect(taken.kind).toBe("taken");
  });
});
