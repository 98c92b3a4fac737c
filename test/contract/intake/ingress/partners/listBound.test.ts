import { accountSettings } from "@headwater/contracts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addAccount, type Ingress, startIngress, type TestAccount } from "../ingressFixture.ts";
import { pushed } from "./partnerFixture.ts";

const ADD = "/api/cohortsync/addContactsToList";
const LISTS_MAX = 3;

let ingress: Ingress;
let caller: TestAccount;
beforeAll(async () => {
  ingress = await startIngress();
  const settings = accountSettings.parse({ limits: { listsPerAccount: LISTS_MAX } });
  caller = await addAccount(ingress.database, { settings });
});
afterAll(() => ingress.stop());

const add = (cohortId: string) =>
  pushed(ingress, {
    path: ADD,
    key: caller.key,
    body: { cohortId, cohortName: `Cohort ${cohortId}`, contacts: [{ email: "ann@example.com" }] },
  });
const listCount = async () => {
  const text = "SELECT count(*)::int AS count FROM lists WHERE account = $1";
  const [row] = await ingress.database.query<{ count: number }>({ text }, [caller.account.number]);
  return row?.count;
};

test("lists that partners make count against the account's bound; a record for one more names a list that is not there", async () => {
  for (const id of ["a", "b", "c"]) expect((await add(id)).records).toMatchObject([{ listId: expect.any(Number) }]);
  for (const id of ["d", "e"]) {
    const { answer, records } = await add(id);
    expect(answer.status).toBe(202);
    expect(records).toMatchObject([{ listName: `Cohort${id}` }]);
    expect(records[0]).not.toHaveProperty("listId");
  }
  expect(await listCount()).toBe(LISTS_MAX);
  expect((await add("a")).records).toMatchObject([{ listId: expect.any(Number) }]);
});

test("an audience that is to be a list is refused with a code of its own while there is no room", async () => {
  const message = {
    type: "audience_subscription_request",
    id: "m1",
    timestamp_ms: 1,
    account: { account_settings: { apiKey: caller.key } },
    audience_id: 7,
    audience_name: "Loyal",
    action: "add",
  };
  const { answer } = await pushed(ingress, { path: "/api/cdpsync/audienceSubscription", body: message });
  expect([answer.status, answer.body.code]).toEqual([422, "ACCOUNT_LISTS_EXCEEDED"]);
  expect(await listCount()).toBe(LISTS_MAX);
});
