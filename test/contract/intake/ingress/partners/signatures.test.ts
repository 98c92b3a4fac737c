import { updateAccount } from "@headwater/accounts/accounts/accounts";
import { accountSettings } from "@headwater/contracts";
import { newAccountId } from "@headwater/kernel";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ingress, type Post, post, startIngress } from "../ingressFixture.ts";
import { createPartnerAccount, endpointOf, SECRETS, withSecrets } from "./partnerFixture.ts";

const LISTSYNC = "/api/listsync/listMembership/{accountId}";
const SUBSCRIPTION = "/api/subscriptionsync/subscription/{accountId}";
const SETTING = { [LISTSYNC]: "listsync", [SUBSCRIPTION]: "subscriptionsync" } as const;

let ingress: Ingress;
beforeAll(async () => {
  ingress = await startIngress();
});
afterAll(() => ingress.stop());

const HOUR = 3_600_000;
const pathOf = (path: string, account: string) => path.replace("{accountId}", account);

/** Headers of a body as its sender makes them. */
function signed(path: string, body: Uint8Array, { secret = SECRETS[1], ageMs = 0 } = {}) {
  const { auth } = endpointOf(path);
  if (auth.kind !== "signature") throw new Error(`${path} is not signed`);
  return { [auth.header]: auth.sign(body, secret, Date.now() - ageMs) };
}

const refusal = async (call: Post) => {
  const { status, body } = await post(ingress.url, call);
  return [status, body.code, body.message, body.details];
};

describe.each([LISTSYNC, SUBSCRIPTION] as const)("a push to %s", (path) => {
  const bytes = Buffer.from(JSON.stringify(endpointOf(path).sample));

  test("is nobody's with a signature that is forged, cut, of another account or of other bytes, all refused alike", async () => {
    const { account } = await createPartnerAccount(ingress, withSecrets);
    const others = await createPartnerAccount(ingress, { [SETTING[path]]: { secrets: ["another account's secret"] } });
    const unset = await createPartnerAccount(ingress);
    const right = signed(path, bytes);
    const [[header = "", value = ""] = []] = Object.entries(right);
    const own = { path: pathOf(path, account.id), body: bytes };
    const tries: Post[] = [
      own,
      { ...own, headers: { [header]: "" } },
      { ...own, headers: { [header]: value.slice(0, -1) } },
      { ...own, headers: { [header]: `${value}0` } },
      { ...own, headers: signed(path, bytes, { secret: "a forged secret" }) },
      { ...own, headers: signed(path, bytes, { secret: "another account's secret" }) },
      { ...own, headers: right, body: JSON.stringify(JSON.parse(bytes.toString("utf8")), null, 2) },
      { ...own, headers: right, body: bytes.subarray(0, -1) },
      { ...own, headers: right, body: `${bytes} ` },
      { ...own, headers: right, path: pathOf(path, others.account.id) },
      { ...own, headers: right, path: pathOf(path, unset.account.id) },
      { ...own, headers: signed(path, bytes, { secret: "" }), path: pathOf(path, unset.account.id) },
      { ...own, headers: right, path: pathOf(path, newAccountId()) },
      { ...own, headers: right, path: pathOf(path, "nobody") },
    ];
    for (const call of tries) {
      expect(await refusal(call)).toEqual([
        401,
        "AUTHENTICATION_FAILED",
        "The request is not authenticated.",
        undefined,
      ]);
    }
    expect((await post(ingress.url, { ...own, headers: right })).status).toBe(200);
  });

  test("goes by its bytes, whatever its JSON is like", async () => {
    const { account } = await createPartnerAccount(ingress, withSecrets);
    const spaced = Buffer.from(` ${JSON.stringify(endpointOf(path).sample, null, 3)}\n`);
    const call = { path: pathOf(path, account.id), body: spaced, headers: signed(path, spaced) };
    expect((await post(ingress.url, call)).status).toBe(200);
  });

  test("may be signed with either of two secrets, and not with one that was taken away", async () => {
    const { account } = await createPartnerAccount(ingress, withSecrets);
    const statusWith = async (secret: string) => {
      const headers = signed(path, bytes, { secret });
      return (await post(ingress.url, { path: pathOf(path, account.id), body: bytes, headers })).status;
    };
    expect([await statusWith(SECRETS[0]), await statusWith(SECRETS[1])]).toEqual([200, 200]);
    const settings = accountSettings.parse({ partners: { [SETTING[path]]: { secrets: [SECRETS[1]] } } });
    await updateAccount(ingress.database, account.id, { name: account.name, settings });
    await expect.poll(() => statusWith(SECRETS[0])).toBe(401);
    expect(await statusWith(SECRETS[1])).toBe(200);
  });
});

test("a page is taken for a day and from a minute ahead, and its time is part of what is signed", async () => {
  const { account } = await createPartnerAccount(ingress, withSecrets);
  const bytes = Buffer.from(JSON.stringify(endpointOf(LISTSYNC).sample));
  const call = { path: pathOf(LISTSYNC, account.id), body: bytes };
  const statusAt = async (ageMs: number) =>
    (await post(ingress.url, { ...call, headers: signed(LISTSYNC, bytes, { ageMs }) })).status;
  expect([await statusAt(25 * HOUR), await statusAt(-120_000)]).toEqual([401, 401]);
  const [header = ""] = Object.values(signed(LISTSYNC, bytes, { ageMs: 25 * HOUR }));
  const renewed = header.replace(/ts:\d+/, `ts:${Date.now()}`);
  expect((await post(ingress.url, { ...call, headers: { "sync-hash": renewed } })).status).toBe(401);
  expect([await statusAt(23 * HOUR), await statusAt(-30_000)]).toEqual([200, 200]);
});
