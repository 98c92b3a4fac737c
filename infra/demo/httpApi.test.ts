import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { createHttpApi } from "./httpApi.ts";

const request = { path: "/api/upsertContact/batch", body: '{"items":[]}', records: 1, idempotencyKey: "key-1" };
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** An API that gives the prepared answers, one after the other. */
async function apiThatAnswers(...answers: ((request: IncomingMessage, response: ServerResponse) => void)[]) {
  const server = createServer((incoming, response) => answers.shift()?.(incoming, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stops.push(() => server.close());
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  return { api: createHttpApi({ ingressUrl: url, serviceUrl: url, apiKey: "hw_x" }), left: answers };
}

const busy = (_: IncomingMessage, response: ServerResponse) =>
  response.writeHead(503, { "retry-after": "0" }).end("{}");

test("a batch goes gzipped, with the key in its header and its Idempotency-Key", async () => {
  const seen: unknown[] = [];
  const { api } = await apiThatAnswers((incoming, response) => {
    buffer(incoming).then((body) => {
      const { "x-api-key": key, "idempotency-key": idempotencyKey, "content-encoding": encoding } = incoming.headers;
      seen.push({ key, idempotencyKey, encoding, body: gunzipSync(body).toString() });
      response.writeHead(202).end('{"receipt":"r"}');
    }, response.destroy.bind(response));
  });
  expect(await api.send(request)).toEqual({ receipt: "r" });
  expect(seen).toEqual([{ key: "hw_x", idempotencyKey: "key-1", encoding: "gzip", body: request.body }]);
});

test("503 with Retry-After and a broken connection are tried again", async () => {
  const { api, left } = await apiThatAnswers(
    busy,
    (incoming) => incoming.socket.destroy(),
    (_, response) => response.end("{}"),
  );
  expect(await api.get("/v2/health")).toEqual({});
  expect(left).toEqual([]);
});

test("a refusal ends it with the answer's own words", async () => {
  const { api } = await apiThatAnswers((_, response) =>
    response.writeHead(401).end('{"code":"AUTHENTICATION_FAILED"}'),
  );
  await expect(api.get("/v2/health")).rejects.toThrow(/answers 401: .*AUTHENTICATION_FAILED/);
});
