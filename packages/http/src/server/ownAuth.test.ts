import { type Account, defaultSettings } from "@headwater/contracts";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { defineOwnAuthRoute } from "../routes/defineRoute.ts";
import type { HttpServer } from "./httpServer.ts";
import { createTestServer } from "./testServer.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
const servers: HttpServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop({ timeoutMs: 200 })));
});

/** A route whose caller signs with the header `x-sign`. */
function serverWith(scopes: readonly string[]): HttpServer {
  const server = createTestServer();
  servers.push(server);
  server.add(
    defineOwnAuthRoute({
      method: "POST",
      path: "/api/signed",
      operationId: "signed",
      summary: "s",
      answers: { 200: { description: "ok" } },
      scope: "intake",
      rateClass: "read",
      headers: z.object({ "x-sign": z.string().describe("who it is") }),
      bodySchema: { type: "object" },
      bodyRules: {
        bytesMax: 100,
        mediaTypes: ["application/json"],
        parseErrorStatus: 422,
        wrongTypeCode: "NOT_ACCEPTABLE",
      },
      handler(call) {
        const name = call.header("x-sign");
        const caller = call.admit(name === undefined ? undefined : { kind: "key", id: name, name, account, scopes });
        return { status: 200, body: { account: caller.account.id, bytes: call.bytes.length } };
      },
    }),
  );
  return server;
}

const json = { "content-type": "application/json" };
const ask = (server: HttpServer, headers: Record<string, string>, payload = "{}") =>
  server.inject({ method: "POST", url: "/api/signed", headers, payload });

test("a route may find its caller itself: nobody is 401, a lacking scope 403, a used up second 429", async () => {
  const server = serverWith(["intake"]);
  expect((await ask(server, json)).json()).toMatchObject({ code: "AUTHENTICATION_FAILED" });
  const signed = { ...json, "x-sign": "s" };
  const answers = [
    await ask(server, signed),
    await ask(server, signed),
    await ask(server, signed),
    await ask(server, signed),
  ];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 429]);
  expect(answers[0]?.headers["x-rate-limit-remaining"]).toBe("2");
  expect((await ask(serverWith([]), signed)).json()).toMatchObject({ code: "INSUFFICIENT_SCOPE" });
});

test("a route of its own authentication may answer 406 to another content type, after the size and whether or not there is a body", async () => {
  const server = serverWith(["intake"]);
  const csv = { "content-type": "text/csv", "x-sign": "s" };
  expect([(await ask(server, csv)).statusCode, (await ask(server, csv, "")).statusCode]).toEqual([406, 406]);
  expect((await ask(server, csv, "x".repeat(101))).statusCode).toBe(413);
});

test("the headers of a route's own authentication are in the document", async () => {
  const document = (await serverWith([]).inject({ url: "/docs/json" })).json();
  expect(document.paths["/api/signed"].post.parameters).toMatchObject([
    { name: "x-sign", in: "header", required: true },
  ]);
});
