import { describe, expect } from "vitest";
import { test } from "./sharedStack.ts";
import { SECRET, signed } from "./signedPush.ts";
import type { Caller, Stack } from "./stack.ts";

const partners = { listsync: { secrets: [SECRET], canBeCreated: true }, subscriptionsync: { secrets: [SECRET] } };

let stack: Stack;
test.beforeAll(async ({ stack: shared }) => {
  stack = shared;
});

/** Returns what was written, without its times and its contact. */
function contentOf({ cID: _whose, createdAt: _created, lastModified: _last, ...rest }: Record<string, unknown>) {
  return rest;
}

const account = (caller: Caller) => ({ account: { account_id: 1, account_settings: { apiKey: caller.key } } });
const email = (value: string) => [{ type: "email", encoding: "raw", value }];

describe("what a partner pushes, applied", () => {
  test("is the state that intake's own calls make", async () => {
    const [partner, intake] = [await stack.caller("partner", partners), await stack.caller("intake")];
    const rights = { canBeCreated: true, canBeUpdated: true };
    const who = { pipelineIdKey: "customer_id", pipelineId: "7", userIdentities: { email: "ann@x.org" } };
    const contact = { identifiers: { customer_id: "7", email: "ann@x.org" }, identifiersPriority: ["customer_id"] };
    const attributes = { plan: "gold" };
    const order = { orderID: "o1", purchaseDate: "2026-01-09", status: "paid", totalAmount: "5.50" };
    const items = [{ productID: "p", sku: "s", name: "n", qty: 2 }];
    const event = { time: "2026-01-09T22:47:12Z", properties: { a: 1 } };
    const pushes: [string, object][] = [
      ["upsertContact", { ...who, attributes }],
      ["createContactactivity", { ...who, action: "browse", ...event }],
      ["addContactToList", { ...who, groupId: 5, listName: "Beta testers" }],
      ["upsertOrder", { ...who, ...order, items }],
      ["addProductToCart", { ...who, productID: "p", sku: "s", category: "c", name: "n", qty: 2 }],
    ];
    const calls: [string, object][] = [
      ["upsertContact", { ...contact, attributes, ...rights }],
      ["createContactactivities", { contact, contactactivities: [{ name: "browse", ...event }] }],
      ["addContactsToList", { identifiers: [contact.identifiers], listName: "Betatesters" }],
      ["upsertOrder", { contact, order: { ...order, items } }],
      ["addProductsToCart", { contact, products: [{ productID: "p", sku: "s", category: "c", name: "n", qty: 2 }] }],
    ];
    let [after, afterIntake] = ["", ""];
    for (const [name, body] of pushes) {
      const taken = await partner.push(`/api/pipeline/${name}`, body);
      after = taken.receipt;
      expect([name, taken.status, (await partner.settled(after)).state]).toEqual([name, 202, "applied"]);
    }
    for (const [name, body] of calls) {
      afterIntake = await intake.send(name, body);
      await intake.settled(afterIntake);
    }
    const seen = async (caller: Caller, receipt: string) => {
      const read = await caller.read("/v2/contacts/email:ann@x.org", receipt);
      const ordered = await caller.read("/v2/orders/o1", receipt);
      return [read.status, contentOf(read.body), ordered.status, contentOf(ordered.body)];
    };
    expect(await seen(partner, after)).toEqual(await seen(intake, afterIntake));
    expect(await partner.count({ event: "browse" }, after)).toBe(1);
    expect(await partner.count({ list: "Betatesters", op: "in" }, after)).toBe(1);
  });

  test("is applied once, however often it comes and with whatever message", async () => {
    const caller = await stack.caller("once", partners);
    const add = {
      type: "product_action",
      id: "e1",
      timestamp_ms: 1_767_998_830_000,
      action: "add_to_cart",
      products: [{ id: "p", name: "n", category: "c", quantity: 2 }],
    };
    const message = (id: string) => ({
      type: "event_processing_request",
      id,
      timestamp_ms: 1,
      ...account(caller),
      user_identities: email("once@x.org"),
      events: [add, { type: "custom_event", id: "e2", timestamp_ms: 1_767_998_830_000, name: "browse" }],
    });
    const push = (id: string) => caller.push("/api/cdpsync/eventProcessing", message(id));
    let { receipt } = await push("m1");
    expect(await caller.settled(receipt)).toMatchObject({
      state: "applied",
      records: { applied: 2, skipped: 0 },
    });
    for (const id of ["m1", "m2"]) {
      const again = await push(id);
      expect(again.status).toBe(200);
      expect(await caller.settled(again.receipt)).toMatchObject({ records: { skipped: 2 }, skips: { DUPLICATE: 2 } });
      receipt = again.receipt;
    }
    expect(await caller.count({ event: "browse", count: { op: "eq", value: 1 } }, receipt)).toBe(1);
  });

  test("with a part that is wrong has it among the rejections of its receipt, and one of no use among its skips", async () => {
    const caller = await stack.caller("refused", partners);
    const events = [
      { type: "custom_event", id: "1", timestamp_ms: 1_767_998_830_000, name: "fine" },
      { type: "custom_event", id: "2", timestamp_ms: 1_767_998_830_000, name: "open" },
      { type: "custom_event", id: "3" },
      { type: "session_end", id: "4" },
    ];
    const envelope = { type: "event_processing_request", id: "m", timestamp_ms: 1, ...account(caller) };
    const push = { ...envelope, user_identities: email("refused@x.org"), events };
    const { status, receipt } = await caller.push("/api/cdpsync/eventProcessing", push);
    expect(status).toBe(200);
    expect(await caller.settled(receipt)).toMatchObject({
      state: "partly_rejected",
      records: { applied: 1, rejected: 2, skipped: 1 },
      skips: { NOT_MAPPED: 1 },
      rejections: [
        { code: "RESERVED_ACTION", path: "/events/1/name" },
        { code: "VALIDATION_ERROR", path: "/events/2" },
      ],
    });
    const { body: deadLetters } = await caller.get("/v2/deadletters");
    expect(deadLetters.data).toContainEqual(
      expect.objectContaining({
        operation: "setAside",
        path: "/events/2",
        payload: { push: "cdpsync/eventProcessing", part: events[2] },
      }),
    );
    expect((await caller.read("/v2/accounting", receipt)).body).toMatchObject({
      data: [
        { operation: "createContactactivities", accepted: 1, applied: 1 },
        { operation: "setAside", accepted: 3, skipped: 1, rejected: 2 },
      ],
      balanced: true,
    });
    const trial = await caller.post("/v2/deadletters/redrive", { select: { operation: "setAside" }, dryRun: true });
    expect(trial).toMatchObject({ status: 200, body: { wouldPass: 0, selected: 2 } });
    const again = await caller.push("/api/cdpsync/eventProcessing", push);
    expect(await caller.settled(again.receipt)).toMatchObject({ records: { rejected: 0 }, skips: { DUPLICATE: 4 } });
    expect((await caller.get("/v2/deadletters")).body.data).toHaveLength(2);
  });

  test("a rejected part of a push is patched and redriven, and its sender's repeat changes nothing more", async () => {
    const caller = await stack.caller("mended", { cdpsync: { canBeCreated: true } });
    const audience = { audience_id: 5, audience_name: "Loyal", action: "add" };
    const settings = { audience_subscription_settings: { listId: 99 } };
    const profile = { user_identities: email("m@x.org"), audiences: [{ ...audience, ...settings }] };
    const envelope = { type: "audience_membership_change_request", id: "m", timestamp_ms: 1, ...account(caller) };
    const push = () => caller.push("/api/cdpsync/audienceMembershipChange", { ...envelope, user_profiles: [profile] });
    const first = await push();
    expect(await caller.settled(first.receipt)).toMatchObject({ rejections: [{ code: "ACCOUNT_LISTS_NOT_FOUND" }] });
    const patch = [
      { op: "remove", path: "/listId" },
      { op: "add", path: "/listName", value: "mended" },
    ];
    const job = await caller.post("/v2/deadletters/redrive", { select: { operation: "addContactsToList" }, patch });
    const done = async () => (await caller.get(`/v2/jobs/${job.body.jobId}`)).body;
    await expect.poll(async () => (await done()).status, { timeout: 30_000 }).toBe("Done");
    const { receipt } = (await done()).metadata;
    expect(await caller.settled(receipt)).toMatchObject({ records: { applied: 1 } });
    expect(await caller.count({ list: "mended", op: "in" }, receipt)).toBe(1);
    const again = await push();
    expect(await caller.settled(again.receipt)).toMatchObject({ skips: { DUPLICATE: 1 } });
    expect((await caller.read("/v2/accounting", again.receipt)).body).toMatchObject({
      data: [{ operation: "addContactsToList", accepted: 3, applied: 1, skipped: 1, rejected: 1 }],
      balanced: true,
    });
  });

  test("of a contact that comes later waits for it, and is counted once", async () => {
    const caller = await stack.caller("early", { cdpsync: { canBeCreated: false } });
    const refund = {
      type: "product_action",
      id: "r",
      timestamp_ms: 1_767_998_830_000,
      action: "refund",
      transaction_id: "late",
    };
    const envelope = { type: "event_processing_request", id: "m", timestamp_ms: 1, ...account(caller) };
    const { receipt } = await caller.push("/api/cdpsync/eventProcessing", {
      ...envelope,
      user_identities: email("late@x.org"),
      events: [refund],
    });
    await expect.poll(() => caller.settled(receipt, 0), { timeout: 30_000 }).toMatchObject({ records: { parked: 1 } });
    const contact = { identifiers: { email: "late@x.org" }, attributes: { a: 1 }, canBeCreated: true };
    await caller.settled(await caller.send("upsertContact", contact));
    expect(await caller.settled(receipt)).toMatchObject({ state: "applied", records: { applied: 1 }, skips: {} });
    expect((await caller.read("/v2/accounting", receipt)).body).toMatchObject({
      data: [
        { operation: "setOrderStatus", accepted: 1, applied: 1, skipped: 0, parked: 0 },
        { operation: "upsertContact", accepted: 1, applied: 1 },
      ],
      balanced: true,
    });
  });

  test("of a segment puts contacts on its list and takes them off", async () => {
    const caller = await stack.caller("segment", partners);
    const page = (number: number, members: object) => ({
      action_type: "segment.users.sync",
      data: { segment: { id: 1, name: "Loyal" }, sync_info: { page_number: number, sync_task_id: "t" }, ...members },
    });
    const path = "/api/listsync/listMembership/{accountId}";
    await signed(caller, path, page(1, { add: [{ id: "a@x.org" }, { id: "b@x.org" }] }));
    const { receipt } = await signed(caller, path, page(2, { remove: [{ id: "b@x.org" }] }));
    expect(await caller.settled(receipt)).toMatchObject({ state: "applied" });
    await expect.poll(() => caller.count({ list: "Loyal", op: "in" }, receipt)).toBe(1);
  });

  test("of a subscription is its record, and what is older than it changes nothing whenever it comes", async () => {
    const caller = await stack.caller("subscription", partners);
    const path = "/api/subscriptionsync/subscription/{accountId}";
    const push = (over: object) => signed(caller, path, { subscription: { id: 9, email: "s@x.org", ...over } });
    const steps = [
      { status: "active", created_at: "2026-01-09T10:00:00Z", updated_at: "2026-01-09T10:00:00Z" },
      { status: "cancelled", cancelled_at: "2026-01-11T10:00:00Z", updated_at: "2026-01-11T10:00:00Z" },
      { status: "active", price: "1.00", updated_at: "2026-01-10T10:00:00Z" },
    ];
    const outcomes = [];
    for (const step of steps) {
      const { receipt } = await push(step);
      outcomes.push(await caller.settled(receipt));
    }
    expect(outcomes).toMatchObject([
      { records: { applied: 2 } },
      { records: { applied: 2 } },
      { records: { applied: 1, skipped: 1 }, skips: { SUPERSEDED: 1 } },
    ]);
    const [row] = await stack.postgres.query<{ doc: string }>(
      { text: "SELECT doc FROM supplement_records WHERE account = $1" },
      [caller.account],
    );
    expect(row?.doc).toContain('"cancelled"');
    expect(row?.doc).not.toContain("1.00");
  });

  test("of a refund sets the order's status, and a merge makes two contacts one", async () => {
    const caller = await stack.caller("refund", partners);
    const event = (action: string, over: object = {}) => ({
      type: "product_action",
      id: action,
      timestamp_ms: 1_767_998_830_000,
      action,
      transaction_id: "r1",
      ...over,
    });
    const products = [{ id: "p", name: "n", price: "2.50", quantity: 2 }];
    const events = [event("purchase", { products }), event("refund")];
    const envelope = { type: "event_processing_request", id: "m", timestamp_ms: 1, ...account(caller) };
    const bought = await caller.push("/api/cdpsync/eventProcessing", {
      ...envelope,
      user_identities: [{ type: "customer", encoding: "raw", value: "u1" }],
      events,
    });
    await caller.settled(bought.receipt);
    expect((await caller.read("/v2/orders/r1", bought.receipt)).body).toMatchObject({
      status: "refunded",
      totalAmount: 5,
    });
    const anonymous = { anonymousId: "a1", attributes: { visits: 3 } };
    await caller.settled((await caller.push("/api/pipeline/upsertContact", anonymous)).receipt);
    const merge = { pipelineIdKey: "customer_id", pipelineId: "u1", previousId: "a1" };
    const merged = await caller.push("/api/pipeline/mergeContacts", merge);
    expect([merged.status, (await caller.settled(merged.receipt)).state]).toEqual([202, "applied"]);
    const [byId, byAnonymous] = [
      await caller.read("/v2/contacts/customer_id:u1", merged.receipt),
      await caller.read("/v2/contacts/anonymousId:a1", merged.receipt),
    ];
    expect(byAnonymous.body.cID).toBe(byId.body.cID);
    expect(byId.body.attributes).toMatchObject({ visits: 3 });
    expect(await caller.count({ and: [] }, merged.receipt)).toBe(1);
  });
});
