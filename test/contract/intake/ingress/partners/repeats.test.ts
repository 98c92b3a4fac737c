import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ingress, post, startIngress, type TestAccount } from "../ingressFixture.ts";
import { callOf, createPartnerAccount, endpointOf, pushed, withSecrets } from "./partnerFixture.ts";

const LISTSYNC = endpointOf("/api/listsync/listMembership/{accountId}");
const SUBSCRIPTION = endpointOf("/api/subscriptionsync/subscription/{accountId}");
const AUDIENCES = endpointOf("/api/cdpsync/audienceSubscription");
const MEMBERS = endpointOf("/api/cdpsync/audienceMembershipChange");

let ingress: Ingress;
let caller: TestAccount;
beforeAll(async () => {
  ingress = await startIngress();
  caller = await createPartnerAccount(ingress, withSecrets);
});
afterAll(() => ingress.stop());

const page = (task: string, number: number | string, add: unknown[]) => ({
  action_type: "segment.users.sync",
  data: {
    segment: { id: 7, name: "Loyal" },
    sync_info: { page_number: number, total_pages: 2, sync_task_id: task },
    add,
  },
});

describe("a page", () => {
  test("a repeated page, in other words and at another time, is answered and not written again", async () => {
    const first = await pushed(ingress, callOf(LISTSYNC, caller, page("t1", 1, [{ id: "a@x.org" }])));
    const again = await post(
      ingress.url,
      callOf(LISTSYNC, caller, page("t1", "1", [{ id: "a@x.org" }, { id: "b@x.org" }])),
    );
    expect([first.answer.status, again.status]).toEqual([200, 200]);
    expect([again.body.requestId, again.body.receipt]).toEqual([
      first.answer.body.requestId,
      first.answer.body.receipt,
    ]);
    const next = await pushed(ingress, callOf(LISTSYNC, caller, page("t1", 2, [{ id: "c@x.org" }])));
    expect(next.records).toHaveLength(1);
    expect(ingress.records.filter(({ id }) => id.startsWith(first.answer.body.requestId))).toHaveLength(1);
  });

  test("of another account with the same name is another page", async () => {
    const other = await createPartnerAccount(ingress, withSecrets);
    const pages = [caller, other].map((one) =>
      pushed(ingress, callOf(LISTSYNC, one, page("t2", 1, [{ id: "a@x.org" }]))),
    );
    const written = await Promise.all(pages);
    expect(written.map(({ records }) => [records.length, records[0]?.account])).toEqual([
      [1, caller.account.id],
      [1, other.account.id],
    ]);
  });

  test("whose log was away is written by its retry, under the first one's record ids", async () => {
    const call = callOf(LISTSYNC, caller, page("t3", 1, [{ id: "a@x.org" }]));
    ingress.kafkaProxy.setMode("refuse");
    await expect.poll(async () => (await post(ingress.url, call)).status, { timeout: 20_000 }).toBe(503);
    ingress.kafkaProxy.setMode("forward");
    let taken = await post(ingress.url, call);
    const retry = async () => {
      taken = await post(ingress.url, call);
      return taken.status;
    };
    await expect.poll(retry, { timeout: 20_000 }).toBe(200);
    const keyed = () => ingress.records.filter((record) => record.keyed === true).map(({ id }) => id);
    await expect.poll(keyed).toContain(`${taken.body.requestId}:0:0`);
  });
});

describe("a drain", () => {
  const drain = (task: string, number: number, segment: object) => ({
    action_type: "segment.users.drain",
    data: { segment, sync_info: { page_number: number, sync_task_id: task } },
  });
  const send = (body: object) => pushed(ingress, callOf(LISTSYNC, caller, body));
  const countLists = () =>
    ingress.database.query({ text: "SELECT id FROM lists WHERE account = $1" }, [caller.account.number]);

  test("is one record on the segment's list, and its repeat is answered and not written again", async () => {
    const filled = await send(page("d1", 1, [{ id: "a@x.org" }]));
    const first = await send(drain("d1", 1, { id: "7", name: "Renamed" }));
    expect(first.answer.status).toBe(200);
    expect(first.records).toMatchObject([{ listId: filled.records[0]?.listId, source: "listsync", keyed: true }]);
    const again = await send(drain("d1", 1, { id: 7, name: "Loyal" }));
    expect([again.answer.status, again.answer.body]).toEqual([200, first.answer.body]);
    expect(ingress.records.filter(({ id }) => id.startsWith(first.answer.body.requestId))).toHaveLength(1);
  });

  test("of a segment nobody knows makes no list, and never names one that stands for another segment", async () => {
    await send(page("d2", 1, [{ id: "a@x.org" }]));
    const before = await countLists();
    const unknown = await send(drain("d2", 2, { id: 99, name: "Never Seen" }));
    const sameName = await send(drain("d2", 3, { id: 98, name: "Loyal" }));
    expect([unknown, sameName].map(({ answer, records }) => [answer.status, records[0]?.listName])).toEqual([
      [200, "NeverSeen"],
      [200, "Loyal-98"],
    ]);
    expect(await countLists()).toEqual(before);
  });
});

test("a subscription that comes again goes by the same name, one that changed by another", async () => {
  const push = { subscription: { id: 1, email: "ann@x.org", status: "active", updated_at: "2026-01-09T22:47:12Z" } };
  const first = await pushed(ingress, callOf(SUBSCRIPTION, caller, push));
  const again = await pushed(ingress, callOf(SUBSCRIPTION, caller, push));
  const changed = await pushed(
    ingress,
    callOf(SUBSCRIPTION, caller, { subscription: { ...push.subscription, quantity: 2 } }),
  );
  const namesOf = ({ records }: typeof first) => records.map(({ once }) => once);
  expect(new Set(namesOf(first)).size).toBe(2);
  expect(namesOf(again)).toEqual(namesOf(first));
  expect(namesOf(changed)).not.toEqual(namesOf(first));
});

describe("an audience's list", () => {
  const send = async (message: object, by = caller): Promise<unknown> => {
    const answer = await post(ingress.url, callOf(AUDIENCES, by, { ...AUDIENCES.sample, ...message }));
    expect([answer.status, answer.body.type]).toEqual([200, "audience_subscription_response"]);
    return answer.body.audience_subscription_settings;
  };
  const listIdOf = (action: string, name: string, audience_id: unknown = 501) =>
    send({ id: `${action}-${name}`, action, audience_id, audience_name: name });
  const members = async (audience: object) => {
    const user_identities = [{ type: "email", encoding: "raw", value: "ann@x.org" }];
    const audiences = [{ audience_id: 501, audience_name: "Loyal shoppers", action: "add", ...audience }];
    const push = { ...MEMBERS.sample, user_profiles: [{ user_identities, audiences }] };
    return (await pushed(ingress, callOf(MEMBERS, caller, push))).records[0];
  };

  test("is made at once, found again by every repeat, renamed, archived, and fed again when it is added anew", async () => {
    const created = await listIdOf("add", "Loyal shoppers");
    expect(created).toEqual({ listId: expect.any(Number) });
    expect(await listIdOf("add", "Loyal shoppers")).toEqual(created);
    expect(await listIdOf("update", "Most loyal")).toEqual(created);
    expect(await members({})).toMatchObject(Object(created));
    expect(await listIdOf("remove", "Most loyal")).toEqual(created);
    const notFed = { verdict: "skipped", message: expect.stringContaining("archived") };
    expect(await members({})).toMatchObject(notFed);
    expect(await members({ audience_subscription_settings: Object(created) })).toMatchObject(notFed);
    expect(await listIdOf("add", "Most loyal")).toEqual(created);
    expect(await members({})).toMatchObject(Object(created));
    const rows = await ingress.database.query<{ name: string; display_name: string }>(
      { text: "SELECT name, display_name FROM lists WHERE account = $1 AND id = $2" },
      [caller.account.number, Number(Object(created).listId)],
    );
    expect(rows).toEqual([{ name: "Mostloyal", display_name: "Most loyal" }]);
  });

  test("stays as it is when a message comes again after later ones, for every account by itself", async () => {
    const other = await createPartnerAccount(ingress, withSecrets);
    const about = (id: string, action: string, audience_name: string) => ({
      id: `again-${id}`,
      action,
      audience_id: 502,
      audience_name,
    });
    const first = about("u1", "update", "NB");
    const removal = about("r1", "remove", "NC");
    const built = await send(about("a1", "add", "N"));
    for (const message of [first, about("u2", "update", "NC"), first]) expect(await send(message)).toEqual(built);
    for (const message of [removal, about("a2", "add", "NC"), removal]) expect(await send(message)).toEqual(built);
    const rows = await ingress.database.query(
      {
        text: `SELECT l.display_name AS name, p.archived_at AS "archivedAt" FROM lists l
          JOIN intake.partner_lists p ON p.account = l.account AND p.list = l.id WHERE l.account = $1 AND l.id = $2`,
      },
      [caller.account.number, Number(Object(built).listId)],
    );
    expect(rows).toEqual([{ name: "NC", archivedAt: null }]);
    expect(await members({ audience_id: 502 })).toMatchObject(Object(built));
    expect(await send(about("a1", "add", "N"), other)).toEqual({ listId: expect.any(Number) });
  });

  test("takes what another message wants, under one id, too", async () => {
    const same = (action: string, audience_name: string) =>
      send({ id: "same", action, audience_id: 503, audience_name });
    const result = await same("add", "First");
    expect(await same("update", "Second")).toEqual(result);
    const named = { text: "SELECT display_name FROM lists WHERE account = $1 AND id = $2" };
    const list = [caller.account.number, Number(Object(result).listId)];
    expect(await ingress.database.query(named, list)).toEqual([{ display_name: "Second" }]);
  });

  test("a list of an audience that nobody made is no error to the partner", async () => {
    expect(await listIdOf("remove", "Never seen", "9999")).toEqual({});
    expect(await listIdOf("update", "Never seen", "9999")).toEqual({});
  });

  test("is made once by calls that come together", async () => {
    const made = await Promise.all(
      Array.from({ length: 8 }, () => listIdOf("add", "Together", "18446744073709551615")),
    );
    expect(new Set(made.map((settings) => JSON.stringify(settings))).size).toBe(1);
  });
});
