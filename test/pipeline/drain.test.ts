import { expect } from "vitest";
import { test } from "./sharedStack.ts";
import { SECRET, signed } from "./signedPush.ts";
import type { Stack } from "./stack.ts";

let stack: Stack;
test.beforeAll(async ({ stack: shared }) => {
  stack = shared;
});

test("a drain empties the segment's list in both stores, now and not before, and who comes later stays", async () => {
  const caller = await stack.caller("drained", { listsync: { secrets: [SECRET], canBeCreated: true } });
  const path = "/api/listsync/listMembership/{accountId}";
  const segment = { id: 1, name: "Loyal" };
  const page = (number: number, more: object) => {
    const sync_info = { page_number: number, sync_task_id: "t" };
    return { action_type: "segment.users.sync", data: { segment, sync_info, ...more } };
  };
  const drain = { ...page(1, {}), action_type: "segment.users.drain" };
  const others = { segment: { id: 2, name: "Else" }, sync_info: { page_number: 1, sync_task_id: "other" } };
  const unknown = await signed(caller, path, { ...drain, data: others });
  expect([unknown.status, await caller.settled(unknown.receipt)]).toMatchObject([
    200,
    { state: "applied", records: { skipped: 1 }, skips: { ACCOUNT_LISTS_NOT_FOUND: 1 } },
  ]);
  const added = await signed(caller, path, page(1, { add: [{ id: "a@x.org" }, { id: "b@x.org" }] }));
  const onList = { list: "Loyal", op: "in" };
  expect(await caller.count(onList, added.receipt)).toBe(2);
  const { body: list } = await caller.read("/v2/accountlists?per_page=1", added.receipt);
  const listId = list.data[0].id;
  const countOf = async (after: string) => (await caller.read(`/v2/accountlists/${listId}/count`, after)).body.count;
  const listsOf = async (after: string) => (await caller.read("/v2/contacts/email:a@x.org", after)).body.lists;
  expect([await countOf(added.receipt), await listsOf(added.receipt)]).toEqual([2, ["Loyal"]]);
  const [row] = await stack.postgres.query<{ at: number }>(
    { text: "SELECT max(joined_at) AS at FROM memberships WHERE account = $1" },
    [caller.account],
  );
  const asOf = new Date(row?.at ?? 0).toISOString();
  const drained = await signed(caller, path, drain);
  expect(await caller.settled(drained.receipt)).toMatchObject({ state: "applied", records: { applied: 1 } });
  const seen = async (after: string) => [
    await caller.count(onList, after),
    await caller.count({ criteria: onList, asOf }, after),
    await countOf(after),
    await listsOf(after),
  ];
  expect(await seen(drained.receipt)).toEqual([0, 2, 0, []]);
  const again = await signed(caller, path, page(2, { add: [{ id: "a@x.org" }] }));
  expect(await seen(again.receipt)).toEqual([1, 2, 1, ["Loyal"]]);
  expect((await signed(caller, path, drain)).body).toEqual(drained.body);
  expect(await seen(again.receipt)).toEqual([1, 2, 1, ["Loyal"]]);
  const secondDrain = await signed(caller, path, {
    ...drain,
    data: { ...drain.data, sync_info: page(3, {}).data.sync_info },
  });
  expect(await seen(secondDrain.receipt)).toEqual([0, 2, 0, []]);
  const { body: accounting } = await caller.read("/v2/accounting", secondDrain.receipt);
  expect(accounting).toMatchObject({ balanced: true });
  expect(accounting.data).toContainEqual(
    expect.objectContaining({ operation: "clearList", accepted: 3, applied: 2, skipped: 1 }),
  );
});
