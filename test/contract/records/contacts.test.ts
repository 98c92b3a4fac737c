import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Running } from "../service/running.ts";
import { AT, versionAt } from "../service/seed.ts";
import { CID, MERGED, seedWorld, THEIRS, type World } from "../service/world.ts";

let service: Running;
let mine: World["mine"];
let other: World["other"];

beforeAll(async () => {
  ({ service, mine, other } = await seedWorld());
});

afterAll(() => service.stop());

const get = (url: string, key: string | undefined = mine.key) => service.call(key, url);

describe("GET /v2/contacts/{primary_key}", () => {
  test("shows channels, attributes, lists, join dates of enhanced lists, and a version", async () => {
    const { status, body, headers } = await get(`/v2/contacts/${CID}`);
    body.lists.sort();
    expect(status).toBe(200);
    expect(headers.etag).toBe(`"${versionAt(AT)}"`);
    const at = "2026-01-09T22:47:12.000Z";
    expect(body).toEqual({
      cID: CID,
      identifiers: { email: "ada@example.com", customer_id: "17850", phone: "+4922812345" },
      channels: {
        email: { address: "Ada@Example.com", subscribeStatus: "subscribed", subscribedAt: at },
        sms: { address: "+4922812345", subscribeStatus: "none" },
      },
      attributes: { score: 12.5, tags: ["a"], __proto__x: "kept" },
      lists: ["Third", "vip"],
      listJoinDate: { vip: at },
      createdAt: at,
      lastModified: at,
    });
  });

  test.each([
    CID,
    CID.toUpperCase(),
    `cID:${CID}`,
    MERGED,
    "ada@example.com",
    "%20ADA@example.com",
    "email:Ada@Example.com",
    "channels.email.address:ada@example.com",
    "customer_id:17850",
    "phone:%2B49%20228%2012345",
    "anonymousId:x1",
  ])("finds the live contact by %s", async (key) => {
    const { status, body } = await get(`/v2/contacts/${key}`);
    expect([status, body.cID]).toEqual([200, CID]);
  });

  test("tries 24 hex characters as a primary value, too", async () => {
    expect((await get(`/v2/contacts/${"c".repeat(24)}`)).body.cID).toBe("65f0c0ffee65f0c0ffee0004");
  });

  test.each([
    "nobody@example.com",
    "17850",
    "f".repeat(24),
    `cID:${"f".repeat(24)}`,
    "nameless:17850",
    "email:",
    "%00x",
  ])("answers 404 for %s", async (key) => {
    const { status, body } = await get(`/v2/contacts/${key}`);
    expect([status, body.code]).toEqual([404, "CONTACTS_CONTACT_NOT_FOUND"]);
  });

  test("never shows another account's contact", async () => {
    expect((await get(`/v2/contacts/${THEIRS}`)).status).toBe(404);
    const theirs = await get("/v2/contacts/ada@example.com", other.key);
    expect([theirs.body.cID, theirs.body.lists]).toEqual([THEIRS, ["theirs"]]);
    expect((await get(`/v2/contacts/${CID}`, other.key)).status).toBe(404);
  });
});

describe("GET /v2/accountlists", () => {
  test("pages the account's lists in order of id", async () => {
    const all = await get("/v2/accountlists?return_count=true");
    expect(all.body.data.map(({ name }: { name: string }) => name).sort()).toEqual(["Third", "news-letter", "vip"]);
    expect(all.body.pagination.total).toBe(3);
    const one = await get("/v2/accountlists?per_page=2");
    const two = await get(`/v2/accountlists?per_page=2&cursor=${one.body.pagination.next_cursor}`);
    expect([...one.body.data, ...two.body.data]).toEqual(all.body.data);
    expect(two.body.pagination.next_cursor).toBeNull();
    const last = await get("/v2/accountlists?per_page=2&sort_dir=desc");
    const first = await get(`/v2/accountlists?per_page=2&sort_dir=desc&cursor=${last.body.pagination.next_cursor}`);
    expect([...last.body.data, ...first.body.data]).toEqual(all.body.data.toReversed());
    expect((await get("/v2/accountlists", other.key)).body.data).toMatchObject([{ name: "theirs" }]);
  });

  test("finds a list by its name whatever its case", async () => {
    const { body } = await get("/v2/accountlists?name=THIRD&fields=name");
    expect(body.data).toEqual([{ name: "Third" }]);
    expect((await get("/v2/accountlists?name=none")).body.data).toEqual([]);
  });
});

describe("GET /v2/accountlists/{id}/count", () => {
  test("counts the members, and answers 404 for a list that the account does not have", async () => {
    const { body } = await get("/v2/accountlists?name=Third");
    const { id } = body.data[0];
    expect((await get(`/v2/accountlists/${id}/count`)).body).toEqual({ count: 2 });
    for (const none of ["99", "x", "0", "99999999999"]) {
      const answer = await get(`/v2/accountlists/${none}/count`);
      expect([answer.status, answer.body.code]).toEqual([404, "ACCOUNT_LISTS_NOT_FOUND"]);
    }
    expect((await get(`/v2/accountlists/${id}/count`, other.key)).status).toBe(id === 1 ? 200 : 404);
  });
});
