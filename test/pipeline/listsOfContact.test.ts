import { expect } from "vitest";
import { test } from "./sharedStack.ts";
import { SECRET, signed } from "./signedPush.ts";
import type { Stack } from "./stack.ts";

const LISTS_MAX = 2;
let stack: Stack;
test.beforeAll(async ({ stack: shared }) => {
  stack = shared;
});

const who = { email: "full@x.org" };
const EXCEEDED = { code: "CONTACT_LISTS_EXCEEDED" };

test("a contact on all lists it may be on is refused one more by every API, over a restart with a backlog; merges go through", async () => {
  const caller = await stack.caller("full", { listsync: { secrets: [SECRET], canBeCreated: true } });
  const bound =
    "UPDATE intake.accounts SET settings = jsonb_set(settings::jsonb, '{limits,listsPerContact}', $2::jsonb)";
  const text = `${bound} WHERE number = $1`;
  await stack.postgres.execute({ text }, [caller.account, String(LISTS_MAX)]);

  const add = (identifiers: object, listName: string) =>
    caller.send("addContactsToList", { identifiers: [identifiers], listName, canBeCreated: true });
  for (const name of ["one", "two"]) expect((await caller.settled(await add(who, name))).state).toBe("applied");
  const other = { anonymousId: "before" };
  expect((await caller.settled(await add(other, "three"))).state).toBe("applied");

  const receipts: string[] = [];
  await stack.whileStateIsForgotten(async () => {
    receipts.push(await add(who, "three"), await add(who, "one"));
    const segment = { segment: { id: 1, name: "three" }, sync_info: { page_number: 1, sync_task_id: "t" } };
    const page = { action_type: "segment.users.sync", data: { ...segment, add: [{ id: who.email }] } };
    receipts.push((await signed(caller, "/api/listsync/listMembership/{accountId}", page)).receipt);
    const pipeline = { pipelineIdKey: "email", pipelineId: who.email };
    receipts.push(
      (await caller.push("/api/pipeline/addContactToList", { ...pipeline, groupId: 5, listName: "four" })).receipt,
    );
    const merge = { pipelineIdKey: "email", pipelineId: who.email, previousId: other.anonymousId };
    receipts.push((await caller.push("/api/pipeline/mergeContacts", merge)).receipt);
    receipts.push(await add(who, "four"));
  });
  const resolved = [];
  for (const receipt of receipts) resolved.push(await caller.settled(receipt));
  const refused = { state: "rejected", rejections: [EXCEEDED] };
  expect(resolved).toMatchObject([
    refused,
    { state: "applied", skips: { UNCHANGED: 1 } },
    refused,
    refused,
    { state: "applied" },
    refused,
  ]);
  const after = receipts.at(-1) ?? "";
  const { body } = await caller.read("/v2/contacts/email:full@x.org", after);
  expect(body.lists.toSorted()).toEqual(["one", "three", "two"]);
  const { body: accounting } = await caller.read("/v2/accounting", after);
  expect(accounting).toMatchObject({ balanced: true });

  const write = (lists: object) => caller.post("/v2/contacts", { channels: { email: { address: who.email } }, lists });
  expect(await write({ five: true })).toMatchObject({ status: 422, body: EXCEEDED });
  expect(await write({ five: true, one: false, two: false })).toMatchObject({ status: 200 });
});
