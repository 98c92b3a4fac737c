import { listApiKeys, revokeApiKey } from "@headwater/accounts/accounts/apiKeys";
import { isScope } from "@headwater/contracts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { basic, type Running } from "./running.ts";
import { seedWorld, type World } from "./world.ts";

let service: Running;
let mine: World["mine"];

beforeAll(async () => {
  ({ service, mine } = await seedWorld());
});

afterAll(() => service.stop());

const get = (url: string, key: string | undefined = mine.key) => service.call(key, url);

const READS = [
  "/v2/contacts/ada@example.com",
  "/v2/contacts/ada@example.com/history",
  "/v2/contactactivities",
  "/v2/orders",
  "/v2/orders/o00",
  "/v2/accountlists",
  "/v2/accountlists/1/count",
  "/v2/receipts/none.at-all",
  "/v2/deadletters",
  "/v2/deadletters/none",
  "/v2/jobs/none",
  "/v2/accounting",
  "/v2/freshness",
];

describe("a key", () => {
  test.each(READS)(
    "is needed for %s, and a wrong, revoked or expired one, or one with a password, is none",
    async (url) => {
      const revoked = await service.key(mine.account);
      const [last] = (await listApiKeys(service.postgres, mine.account.number)).slice(-1);
      await revokeApiKey(service.postgres, mine.account.number, last?.id ?? "");
      const expired = await service.key(mine.account, { expiresAt: new Date(0) });
      for (const key of [undefined, "hw_nobody", revoked, expired]) {
        const { status, body, headers } = await service.call(key, url);
        expect([status, body.code]).toEqual([401, "AUTHENTICATION_FAILED"]);
        expect(body.requestId).toBe(headers["x-request-id"]);
        expect(headers["www-authenticate"]).toContain("Basic");
      }
      const password = { headers: { authorization: basic(mine.key, "secret") } };
      expect((await service.call(undefined, url, password)).status).toBe(401);
    },
  );

  test("without the scope of the resource is refused with 403, the scope of one resource is enough for it", async () => {
    const narrow = await service.key(mine.account, { scopes: ["orders:read"] });
    expect((await get("/v2/orders", narrow)).status).toBe(200);
    for (const url of READS.filter((path) => !/orders|receipts/.test(path))) {
      const { status, body } = await get(url, narrow);
      expect([url, status, body.code]).toEqual([url, 403, "INSUFFICIENT_SCOPE"]);
    }
    const counted = await service.call(narrow, "/v2/audiencecount", { method: "POST", body: { and: [] } });
    expect(counted.status).toBe(403);
  });
});

describe("every route", () => {
  test.each([...READS, "/v2/health"])("%s refuses a query parameter that it does not know", async (url) => {
    const { status, body } = await get(`${url}?colour=red`);
    expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
    expect(body.details).toMatchObject([{ path: "/colour", code: "unknown_field" }]);
  });

  test("answers 405 with Allow for another method, and 404 for a path that is none", async () => {
    const put = await service.call(mine.key, "/v2/accounting", { method: "PUT", body: {} });
    expect([put.status, put.body.code]).toEqual([405, "METHOD_NOT_ALLOWED"]);
    expect(put.headers.allow).toContain("GET");
    const none = await get("/v2/orderz");
    expect([none.status, none.body.code]).toEqual([404, "RECORD_NOT_FOUND"]);
  });

  test("asks for a scope that a key can be given, but health, receipts, signed links, roles and who calls", async () => {
    const { body } = await service.call(undefined, "/docs/json");
    const scopes = Object.entries(body.paths).flatMap(([path, methods]) =>
      Object.entries(Object(methods)).map(([method, operation]) => {
        const { security }: { security: { basic?: string[] }[] } = Object(operation);
        return [`${method} ${path}`, ...(security[0]?.basic ?? [])];
      }),
    );
    const [without, asking] = [scopes.filter(({ length }) => length === 1), scopes.filter(({ length }) => length > 1)];
    expect(without.flat().sort()).toEqual([
      "get /v2/files/{id}",
      "get /v2/health",
      "get /v2/receipts/{receipt}",
      "get /v2/roles",
      "get /v2/whoami",
    ]);
    expect(asking.length).toBeGreaterThan(8);
    for (const [name, scope = ""] of asking) expect([name, isScope(scope)]).toEqual([name, true]);
  });

  test("shows its rate on every answer, refusals, errors and pages included", async () => {
    const answers = [
      await get("/v2/orders/none"),
      await get("/v2/orders", "hw_nobody"),
      await get("/v2/orderz"),
      await service.call(undefined, "/v2/health"),
      await service.call(undefined, "/docs"),
      await service.call(mine.key, "/v2/orders", { method: "PUT" }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 401, 404, 200, 200, 405]);
    for (const { headers } of answers) {
      expect(headers).toMatchObject({
        "x-rate-limit-limit": expect.stringMatching(/^\d+$/),
        "x-rate-limit-remaining": expect.stringMatching(/^\d+$/),
        "x-rate-limit-reset": expect.stringMatching(/^\d{10}$/),
        "ratelimit-policy": expect.stringMatching(/^"read";q=\d+;w=1$/),
        ratelimit: expect.stringMatching(/^"read";r=\d+;t=[01]$/),
      });
    }
  });

  test("shows the state of the key's own bucket", async () => {
    const { headers } = await get("/v2/orders/none");
    expect(Number(headers["x-rate-limit-limit"])).toBe(100_000);
    expect(Number(headers["x-rate-limit-remaining"])).toBeLessThanOrEqual(100_000);
    expect(headers["ratelimit-policy"]).toBeDefined();
  });

  test("answers 429 with Retry-After when the rate of its class is passed", async () => {
    const limits = { intakePerSecond: 1, readPerSecond: 1, audienceCountPerSecond: 1 };
    const slow = await service.account({ limits });
    const answers = await Promise.all([1, 2, 3].map(() => get("/v2/orders", slow.key)));
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body.code).toBe("RATE_LIMITED");
    expect(Number(refused?.headers["retry-after"])).toBeGreaterThan(0);
    const counts = await Promise.all(
      [1, 2, 3].map(() => service.call(slow.key, "/v2/audiencecount", { method: "POST", body: { and: [] } })),
    );
    expect(counts.map(({ status }) => status)).toContain(429);
  });

  test("stands in the OpenAPI document", async () => {
    const { body } = await service.call(undefined, "/docs/json");
    expect(Object.keys(body.paths).sort()).toEqual([
      "/v2/account",
      "/v2/accountcontactattributes",
      "/v2/accountcontactattributes/{key}",
      "/v2/accountcontactattributes/{key}/values",
      "/v2/accounting",
      "/v2/accountlists",
      "/v2/accountlists/{id}",
      "/v2/accountlists/{id}/clear",
      "/v2/accountlists/{id}/count",
      "/v2/accountlists/{id}/members",
      "/v2/accountmonitorexport",
      "/v2/activityimports",
      "/v2/alerts",
      "/v2/alerts/test",
      "/v2/alerts/{id}",
      "/v2/apikeys",
      "/v2/apikeys/{id}",
      "/v2/audiencecount",
      "/v2/audiences",
      "/v2/audiences/{key}",
      "/v2/audiencetrendsexport",
      "/v2/auditlog",
      "/v2/automationtemplates",
      "/v2/automationtemplates/{key}",
      "/v2/automationtemplates/{key}/experimentperformance",
      "/v2/automationtemplates/{key}/publish",
      "/v2/automationtemplates/{key}/renderdraft/{contactID}",
      "/v2/automationtemplates/{key}/renderpublished/{contactID}",
      "/v2/automationtemplates/{key}/send",
      "/v2/automationtemplates/{key}/senddraft",
      "/v2/automationtemplates/{key}/sends",
      "/v2/batchmessages",
      "/v2/batchmessages/{id}",
      "/v2/batchmessages/{id}/cancel",
      "/v2/batchmessages/{id}/experimentperformance",
      "/v2/batchmessages/{id}/pause",
      "/v2/batchmessages/{id}/renderedwip/{contactID}",
      "/v2/batchmessages/{id}/resume",
      "/v2/batchmessages/{id}/send",
      "/v2/batchmessages/{id}/sends",
      "/v2/batchmessages/{id}/sends/retry",
      "/v2/batchmessages/{id}/sendtest",
      "/v2/batchmessages/{id}/unschedule",
      "/v2/contactactivities",
      "/v2/contactactivities/summary",
      "/v2/contactactivityexport",
      "/v2/contactexports",
      "/v2/contactimports",
      "/v2/contacts",
      "/v2/contacts/merge",
      "/v2/contacts/split",
      "/v2/contacts/{primary_key}",
      "/v2/contacts/{primary_key}/cart",
      "/v2/contacts/{primary_key}/cartitems",
      "/v2/contacts/{primary_key}/cartitems/{productID}/{qty}",
      "/v2/contacts/{primary_key}/cartitems/{productID}/{qty}/{sku}",
      "/v2/contacts/{primary_key}/downloadprofile",
      "/v2/contacts/{primary_key}/eligibility",
      "/v2/contacts/{primary_key}/history",
      "/v2/contacts/{primary_key}/unsubscribe/{channel}",
      "/v2/datajobs",
      "/v2/datajobs/{dabId}/stats",
      "/v2/datajobs/{key}",
      "/v2/datajobs/{key}/runs",
      "/v2/datajobs/{key}/runs/{runMarker}/stats",
      "/v2/datajobs/{key}/transform",
      "/v2/datajobs/{key}/trigger",
      "/v2/deadletters",
      "/v2/deadletters/discard",
      "/v2/deadletters/redrive",
      "/v2/deadletters/{id}",
      "/v2/files/{id}",
      "/v2/freshness",
      "/v2/health",
      "/v2/includes",
      "/v2/includes/{key}",
      "/v2/jobs",
      "/v2/jobs/{id}",
      "/v2/jobs/{id}/cancel",
      "/v2/jobs/{id}/rejections",
      "/v2/messageanalyticsexport",
      "/v2/orchestrations",
      "/v2/orchestrations/{orchestrationID}",
      "/v2/orchestrations/{orchestrationID}/actions",
      "/v2/orchestrations/{orchestrationID}/contacts",
      "/v2/orchestrations/{orchestrationID}/contacts/{primary_key}/exit",
      "/v2/orchestrations/{orchestrationID}/contacts/{primary_key}/retry",
      "/v2/orchestrations/{orchestrationID}/simulate",
      "/v2/orchestrations/{orchestrationID}/stats",
      "/v2/orchestrations/{orchestrationID}/trigger",
      "/v2/orchestrations/{orchestrationID}/versions",
      "/v2/orders",
      "/v2/orders/{id}",
      "/v2/ordersexport",
      "/v2/ordersimport",
      "/v2/productimports",
      "/v2/products",
      "/v2/products/{productID}",
      "/v2/programs",
      "/v2/programs/{id}",
      "/v2/programs/{id}/stats",
      "/v2/programs/{id}/summary",
      "/v2/receipts/{receipt}",
      "/v2/roles",
      "/v2/supplements",
      "/v2/supplements/{key}",
      "/v2/supplements/{key}/clear",
      "/v2/supplements/{key}/imports",
      "/v2/supplements/{key}/records",
      "/v2/supplements/{key}/records/{id}",
      "/v2/suppressions",
      "/v2/suppressions/{id}",
      "/v2/transports",
      "/v2/transports/{id}",
      "/v2/transports/{id}/check",
      "/v2/uploads",
      "/v2/webhooks",
      "/v2/webhooks/{id}",
      "/v2/webhooks/{id}/deliveries",
      "/v2/webhooks/{id}/replay",
      "/v2/webhooks/{id}/test",
      "/v2/whoami",
    ]);
  });
});

describe("GET /v2/health", () => {
  test("lives without a key and with a good one, and checks one that is sent", async () => {
    expect(await service.call(undefined, "/v2/health")).toMatchObject({ status: 200, body: { status: "ok" } });
    expect((await get("/v2/health")).status).toBe(200);
    for (const authorization of [basic("hw_nobody"), "Bearer x", "Basic ???"]) {
      const { status, body } = await service.call(undefined, "/v2/health", { headers: { authorization } });
      expect([status, body.code]).toEqual([401, "AUTHENTICATION_FAILED"]);
    }
  });
});
