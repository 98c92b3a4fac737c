import type { PartnerEndpoint } from "@headwater/intake/partners/endpoint";
import { partnerEndpoints } from "@headwater/intake/partners/registry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ingress, post, startIngress, type TestAccount } from "../ingressFixture.ts";
import { callOf, createPartnerAccount, pushed, withSecrets } from "./partnerFixture.ts";

let ingress: Ingress;
let caller: TestAccount;
beforeAll(async () => {
  ingress = await startIngress();
  caller = await createPartnerAccount(ingress, withSecrets);
});
afterAll(() => ingress.stop());

/** Statuses of the given document, written out once more. */
const statuses: Record<PartnerEndpoint["partner"], [taken: number, shape: number, json: number, type: number]> = {
  cohortsync: [202, 400, 400, 415],
  listsync: [200, 422, 422, 406],
  cdpsync: [200, 422, 400, 415],
  subscriptionsync: [200, 422, 422, 415],
  pipeline: [202, 422, 422, 415],
};

const named = partnerEndpoints.map((endpoint) => [`${endpoint.partner}/${endpoint.name}`, endpoint] as const);
const authenticated = named.filter(([, { auth }]) => auth.kind !== "none");

/** The call with another body, signed again where it has to be. */
function callWith(endpoint: PartnerEndpoint, text: string) {
  const { auth } = endpoint;
  const call = callOf(endpoint, caller, endpoint.sample);
  if (auth.kind !== "signature") return { ...call, body: text };
  const bytes = Buffer.from(text);
  return {
    ...call,
    body: bytes,
    headers: { [auth.header]: auth.sign(bytes, "a new secret of the tests", Date.now()) },
  };
}

describe.each(named)("%s", (name, endpoint) => {
  const [taken, shape, json, type] = statuses[endpoint.partner];

  test("takes the body its documentation shows, and refuses nothing of it", async () => {
    const { answer, records } = await pushed(ingress, callOf(endpoint, caller, endpoint.sample));
    expect([answer.status, answer.body.code]).toEqual([taken, undefined]);
    expect(records.filter(({ verdict }) => verdict === "rejected")).toEqual([]);
    const wantsRecords = name !== "cdpsync/moduleRegistration" && name !== "cdpsync/audienceSubscription";
    expect(records.length > 0).toBe(wantsRecords);
    if (endpoint.sampleAnswer !== undefined) {
      expect(Object.keys(answer.body).toSorted()).toEqual(
        [...Object.keys(endpoint.sampleAnswer), "requestId"].toSorted(),
      );
    }
  });

  test("answers no JSON, the wrong type of content and another method as it is given", async () => {
    const broken = await post(ingress.url, callWith(endpoint, '{"type":'));
    expect([broken.status, broken.body.code]).toEqual([json, "INVALID_JSON_PROVIDED"]);
    const call = callOf(endpoint, caller, endpoint.sample);
    const csv = await post(ingress.url, { ...call, headers: { ...call.headers, "content-type": "text/csv" } });
    expect(csv.status).toBe(type);
    const other = await fetch(`${ingress.url}${call.path}`, { method: "PUT" });
    expect([other.status, other.headers.get("allow")]).toEqual([405, "POST"]);
  });

  test("answers a body without its members as it is given", async () => {
    const { auth, wireType } = endpoint;
    const bare = auth.kind === "bodyKey" || auth.kind === "none" ? { type: wireType } : {};
    const call = auth.kind === "bodyKey" ? callOf(endpoint, caller, bare) : callWith(endpoint, JSON.stringify(bare));
    const answer = await post(ingress.url, call);
    const wanted = name === "cdpsync/moduleRegistration" ? 400 : shape;
    expect([answer.status, answer.body.code]).toEqual([wanted, "VALIDATION_ERROR"]);
  });
});

describe.each(authenticated)("%s", (_name, endpoint) => {
  const { auth, wireType } = endpoint;
  const [, , json, type] = statuses[endpoint.partner];

  test("401 for nobody, a wrong key or signature, and an account nobody knows, all with one body", async () => {
    const call = callOf(endpoint, caller, endpoint.sample);
    const stranger = callOf(
      endpoint,
      { ...caller, key: "hw_nobody", account: { ...caller.account, id: "f".repeat(24) } },
      endpoint.sample,
    );
    const wrong = auth.kind === "signature" ? { ...call, headers: { [auth.header]: "wrong" } } : stranger;
    const without =
      auth.kind === "bodyKey"
        ? { ...call, body: { ...endpoint.sample, account: undefined } }
        : { path: call.path, body: call.body };
    for (const refused of [wrong, without, stranger]) {
      const answer = await post(ingress.url, refused);
      expect([answer.status, answer.body.code, answer.body.details]).toEqual([401, "AUTHENTICATION_FAILED", undefined]);
    }
  });

  test("looks at size, then content type, then who calls, then the body; cdpsync parses first", async () => {
    const path = callOf(endpoint, caller, {}).path;
    const csv = { "content-type": "text/csv" };
    const large = `"${"x".repeat(10 * 1024 * 1024)}"`;
    expect((await post(ingress.url, { path, body: large, headers: csv })).status).toBe(413);
    expect((await post(ingress.url, { path, body: "{", headers: csv })).status).toBe(type);
    const broken = await post(ingress.url, { path, body: "{" });
    expect(broken.status).toBe(auth.kind === "bodyKey" ? json : 401);
    const shapeless = await post(ingress.url, { path, body: { type: wireType ?? "" } });
    expect(shapeless.status).toBe(401);
    if (auth.kind !== "bodyKey") return;
    const otherType = await post(ingress.url, { path, body: { ...endpoint.sample, type: "another" } });
    expect([otherType.status, otherType.body.details]).toMatchObject([400, [{ path: "/type" }]]);
  });
});
