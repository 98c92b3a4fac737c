import { get, type IncomingMessage } from "node:http";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { HttpServer, HttpServerOptions } from "./httpServer.ts";
import { authorization, createTestServer } from "./testServer.ts";

const servers: HttpServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop({ timeoutMs: 200 })));
});

function createServer(options: Partial<HttpServerOptions> = {}): HttpServer {
  const server = createTestServer(options);
  servers.push(server);
  return server;
}

const json = { authorization, "content-type": "application/json" };
const errorBody = { code: expect.any(String), message: expect.any(String), requestId: expect.any(String) };

describe("a request that is right", () => {
  it("gets its answer, its request id and the state of its key's bucket", async () => {
    const answer = await createServer().inject({
      url: "/v2/things/a%2Fb?per_page=3&time[gte]=2026",
      headers: { authorization },
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ id: "a/b", per_page: 3, "time[gte]": "2026", account: "a".repeat(24) });
    expect(answer.json().requestId).toBe(answer.headers["x-request-id"]);
    expect(answer.headers).toMatchObject({
      etag: '"1"',
      "x-rate-limit-limit": "1000000",
      "x-rate-limit-remaining": "999999",
      ratelimit: '"free";r=999999;t=1',
      "ratelimit-policy": '"free";q=1000000;w=1',
      "content-type": "application/json; charset=utf-8",
    });
  });

  it("has one header of a name, its route's own where that brings one", async () => {
    const server = createServer();
    const port = await server.start({ host: "127.0.0.1", port: 0 });
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    get({ host: "127.0.0.1", port, path: "/v2/csv" }, resolve).on("error", reject);
    const answer = await promise;
    answer.resume();
    const { rawHeaders } = answer;
    const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
    expect(names.filter((name) => name === "content-type" || name === "x-request-id")).toHaveLength(2);
    expect(rawHeaders).toEqual(expect.arrayContaining(["text/csv", "own"]));
    expect(rawHeaders).not.toContain("application/json; charset=utf-8");
  });

  it("may leave out a body of which no member is needed", async () => {
    const server = createServer();
    const post = (url: string, more: object = {}) =>
      server.inject({ method: "POST", url, headers: { authorization }, ...more });
    const copied = [
      await post("/v2/things/a/copy"),
      await post("/v2/things/a/copy", { headers: json, payload: "" }),
      await post("/v2/things/a/copy", { headers: json, payload: { name: "x" } }),
    ];
    expect(copied.map((answer) => [answer.statusCode, answer.json()])).toEqual([
      [201, {}],
      [201, {}],
      [201, { name: "x" }],
    ]);
    expect((await post("/v2/things")).json().code).toBe("INVALID_JSON_PROVIDED");
    const { paths } = (await server.inject({ url: "/docs/json" })).json();
    const isNeeded = (path: string) => paths[path].post.requestBody.required;
    expect([isNeeded("/v2/things"), isNeeded("/v2/things/{id}/copy")]).toEqual([true, false]);
  });

  it("may send its body as gzip", async () => {
    const payload = gzipSync(JSON.stringify({ name: "x" }));
    const headers = { ...json, "content-encoding": "gzip" };
    const answer = await createServer().inject({ method: "POST", url: "/v2/things", headers, payload });
    expect([answer.statusCode, answer.json()]).toEqual([201, { name: "x" }]);
  });

  it("may ask for the head alone", async () => {
    const answer = await createServer().inject({ method: "HEAD", url: "/v2/things/a", headers: { authorization } });
    expect([answer.statusCode, answer.body]).toEqual([200, ""]);
  });
});

describe("the one error body", () => {
  const post = (payload: string | Buffer, headers: Record<string, string> = json) =>
    ({ method: "POST", url: "/v2/things", headers, payload }) as const;
  it.each([
    ["an unknown path", { url: "/nope" }, 404, "RECORD_NOT_FOUND"],
    ["a path that cannot be decoded", { url: "/v2/things/%zz" }, 400, "BAD_REQUEST"],
    ["another method", { method: "PUT", url: "/v2/things/a" }, 405, "METHOD_NOT_ALLOWED"],
    ["no key", { url: "/v2/things/a" }, 401, "AUTHENTICATION_FAILED"],
    [
      "a key without the scope",
      { method: "DELETE", url: "/v2/things/a", headers: { authorization } },
      403,
      "INSUFFICIENT_SCOPE",
    ],
    ["an unknown parameter", { url: "/v2/things/a?pre_page=3", headers: { authorization } }, 400, "BAD_REQUEST"],
    ["a wrong parameter", { url: "/v2/things/a?per_page=x", headers: { authorization } }, 400, "BAD_REQUEST"],
    ["no JSON", post("{"), 400, "INVALID_JSON_PROVIDED"],
    ["no body", post(""), 400, "INVALID_JSON_PROVIDED"],
    ["bytes that are not UTF-8", post(Buffer.from([0x22, 0xff, 0x22])), 400, "INVALID_JSON_PROVIDED"],
    ["bad gzip", post("x", { ...json, "content-encoding": "gzip" }), 400, "INVALID_JSON_PROVIDED"],
    ["another encoding", post("x", { ...json, "content-encoding": "br" }), 415, "UNSUPPORTED_MEDIA_TYPE"],
    ["another type", post("x", { authorization, "content-type": "text/plain" }), 415, "UNSUPPORTED_MEDIA_TYPE"],
    ["no type", post("x", { authorization }), 415, "UNSUPPORTED_MEDIA_TYPE"],
    ["a body too large", post(JSON.stringify("x".repeat(2_000))), 413, "PAYLOAD_TOO_LARGE"],
    [
      "a bomb",
      post(gzipSync(Buffer.alloc(1_000_000, 32)), { ...json, "content-encoding": "gzip" }),
      413,
      "PAYLOAD_TOO_LARGE",
    ],
    ["a wrong shape", post('{"name":"too long","x":1}'), 422, "VALIDATION_ERROR"],
    ["NUL", post('{"name":"\\u0000"}'), 422, "VALIDATION_ERROR"],
    ["__proto__", post('{"name":"x","__proto__":{}}'), 422, "VALIDATION_ERROR"],
    ["too many levels", post(`{"name":${"[".repeat(100)}${"]".repeat(100)}}`), 422, "VALIDATION_ERROR"],
    ["a defect of ours", { url: "/v2/broken" }, 500, "INTERNAL_ERROR"],
    ["a body that cannot be written", { url: "/v2/unwritable" }, 500, "INTERNAL_ERROR"],
    ["such a body later", { url: "/v2/unwritable?isAsync" }, 500, "INTERNAL_ERROR"],
    ["something away", { url: "/v2/busy" }, 503, "SERVICE_UNAVAILABLE"],
  ] as const)("for %s", async (_what, request, status, code) => {
    const answer = await createServer().inject(request);
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ ...errorBody, code });
    expect(answer.headers["x-request-id"]).toBe(answer.json().requestId);
    expect(answer.headers["x-rate-limit-limit"]).toBeDefined();
    expect(answer.body).not.toContain("secret");
  });

  it("names what is wrong by JSON pointers", async () => {
    const answer = await createServer().inject(post('{"name":"too long","tags":[1],"x/y":1}'));
    expect(answer.json().details).toEqual([
      { path: "/name", code: "too_long", message: expect.any(String) },
      { path: "/tags/0", code: "type_mismatch", message: expect.any(String) },
      { path: "/x~1y", code: "unknown_field", message: expect.any(String) },
    ]);
  });

  it("says which methods there are, and when to come again", async () => {
    const server = createServer();
    expect((await server.inject({ method: "PUT", url: "/v2/things/a" })).headers.allow).toBe("GET, DELETE, HEAD");
    expect((await server.inject({ url: "/v2/busy" })).headers["retry-after"]).toBe("3");
    expect((await server.inject({ url: "/v2/things/a" })).headers["www-authenticate"]).toContain("Basic");
  });

  it("comes with 429 and Retry-After when the key's second is used up", async () => {
    const server = createServer();
    const ask = () => server.inject({ url: "/v2/slow", headers: { authorization } });
    const answers = [await ask(), await ask(), await ask(), await ask()];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 429]);
    expect(answers[3]?.headers).toMatchObject({ "retry-after": "1", "x-rate-limit-remaining": "0" });
    expect(answers[3]?.json().code).toBe("RATE_LIMITED");
  });
});

describe("plain HTTP", () => {
  it("is refused everywhere, before anything else is looked at", async () => {
    const server = createServer({ plainHttp: "refuse" });
    for (const url of ["/v2/things/a", "/nope", "/docs", "/docs/json"]) {
      const answer = await server.inject({ url });
      expect([url, answer.statusCode, answer.json().code]).toEqual([url, 403, "HTTPS_REQUIRED"]);
    }
  });

  it("is let through where a proxy says that it ended TLS", async () => {
    const server = createServer({ plainHttp: "trusted-proxy", trustedProxies: ["10.0.0.0/8"] });
    const headers = { authorization, "x-forwarded-proto": "https" };
    const ask = (remoteAddress: string, input: Record<string, string>) =>
      server.inject({ url: "/v2/things/a", headers: input, remoteAddress }).then(({ statusCode }) => statusCode);
    expect(await ask("10.1.2.3", headers)).toBe(200);
    expect(await ask("10.1.2.3", { authorization })).toBe(403);
    expect(await ask("127.0.0.1", headers)).toBe(403);
  });
});

describe("the OpenAPI document", () => {
  it("is 3.1 and names every route, its parameters, body and answers", async () => {
    const server = createServer();
    const document = (await server.inject({ url: "/docs/json" })).json();
    expect(document.openapi).toBe("3.1.0");
    expect(Object.keys(document.paths)).toContain("/v2/things/{id}");
    const { get } = document.paths["/v2/things/{id}"];
    expect(get.parameters.map(({ name, in: position }: { name: string; in: string }) => `${position} ${name}`)).toEqual(
      ["path id", "query per_page", "query time[gte]"],
    );
    expect(Object.keys(get.responses)).toEqual(expect.arrayContaining(["200", "401", "403", "429", "503"]));
    expect(document.paths["/v2/things"].post.security).toEqual([{ basic: ["things:write"] }]);
    expect(document.paths["/v2/things"].post.requestBody.content["application/json"].schema.required).toEqual(["name"]);
  });

  it("is written once and then given to everybody as it is", async () => {
    const server = createServer();
    for (const [url, mediaType] of [
      ["/docs/json", "application/json"],
      ["/docs/yaml", "application/x-yaml"],
    ] as const) {
      const first = await server.inject({ url });
      const stringify = vi.spyOn(JSON, "stringify");
      const again = await server.inject({ url: `${url}?again` });
      expect(stringify.mock.calls.filter(([value]) => typeof value === "object" && "openapi" in value)).toEqual([]);
      stringify.mockRestore();
      expect([again.statusCode, again.body]).toEqual([200, first.body]);
      for (const { headers } of [first, again]) {
        expect(headers["content-type"]).toContain(mediaType);
        expect(headers["x-rate-limit-limit"]).toBe("50");
      }
    }
  });

  it("has a page", async () => {
    expect((await createServer().inject({ url: "/docs" })).body).toContain("swagger");
  });
});
