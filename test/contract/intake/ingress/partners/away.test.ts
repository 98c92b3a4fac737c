import { afterAll, beforeAll, expect, test } from "vitest";
import { type Ingress, post, startIngress, type TestAccount } from "../ingressFixture.ts";
import { callOf, createPartnerAccount, endpointOf, pushed, withSecrets } from "./partnerFixture.ts";

/** None of these asks Postgres for anything but the caller, whom the ingress knows. */
const WITHOUT_POSTGRES = [
  "/api/cdpsync/moduleRegistration",
  "/api/cdpsync/eventProcessing",
  "/api/subscriptionsync/subscription/{accountId}",
  "/api/pipeline/createContactactivity",
  "/api/pipeline/upsertContact",
  "/api/pipeline/addProductToCart",
  "/api/pipeline/removeProductFromCart",
  "/api/pipeline/upsertOrder",
  "/api/pipeline/mergeContacts",
];
/** Endpoints whose pushes name a list that is known already. */
const WITH_KNOWN_LISTS = [
  "/api/cohortsync/addContactsToList",
  "/api/cohortsync/removeContactsFromList",
  "/api/cdpsync/audienceMembershipChange",
  "/api/pipeline/addContactToList",
  "/api/pipeline/removeContactFromList",
];

let ingress: Ingress;
let caller: TestAccount;
beforeAll(async () => {
  ingress = await startIngress();
  caller = await createPartnerAccount(ingress, withSecrets);
});
afterAll(() => ingress.stop());

test("pushes of known callers are accepted while Postgres is away; pages and new lists wait for it", async () => {
  const paths = [...WITHOUT_POSTGRES, ...WITH_KNOWN_LISTS];
  const send = (path: string) => {
    const endpoint = endpointOf(path);
    return pushed(ingress, callOf(endpoint, caller, endpoint.sample));
  };
  const page = endpointOf("/api/listsync/listMembership/{accountId}");
  for (const path of [...paths, page.path])
    expect([path, (await send(path)).answer.status < 300]).toEqual([path, true]);
  ingress.postgresProxy.setMode("silent");
  for (const path of paths) expect([path, (await send(path)).answer.status < 300]).toEqual([path, true]);
  const cohort = endpointOf("/api/cohortsync/addContactsToList");
  const fresh = { ...cohort.sample, cohortId: "a cohort nobody saw" };
  for (const call of [callOf(cohort, caller, fresh), callOf(page, caller, page.sample)]) {
    expect(await post(ingress.url, call)).toMatchObject({ status: 503, body: { code: "SERVICE_UNAVAILABLE" } });
  }
  ingress.postgresProxy.setMode("forward");
  await expect.poll(async () => (await send(cohort.path)).answer.status, { timeout: 20_000 }).toBe(202);
});
