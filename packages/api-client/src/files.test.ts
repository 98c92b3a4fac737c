import { refused, type StubReply, startStubApi } from "@headwater/testing";
import { describe, expect, test } from "vitest";
import { ClientError, createServiceClient, type FileBytes } from "./index.ts";

const apiKey = "hw_a_secret_of_the_tests";
const busy = { ...refused(429, "RATE_LIMITED"), headers: { "retry-after": "0" } };
const away = { ...refused(503, "SERVICE_UNAVAILABLE"), headers: { "retry-after": "0" } };

async function start(replies: readonly (StubReply | "cut")[]) {
  const service = await startStubApi((_, count) => replies[Math.min(count, replies.length) - 1] ?? "cut");
  const client = createServiceClient({ baseUrl: service.url, apiKey, retry: { minMs: 1, maxMs: 2 } });
  return { service, client, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

const failureOf = (promise: Promise<unknown>) => promise.then(() => undefined).catch((reason: unknown) => reason);
const textOf = (bytes: FileBytes) => new Response(bytes).text();

describe("an upload", () => {
  const file = new Blob(["email\na@x.org\n"]);
  const taken = { status: 201, body: { url: "upload:u1" } };

  test("is sent again under its Idempotency-Key while the service is busy or away", async () => {
    await using started = await start([busy, away, taken]);
    expect(await started.client.upload(file, { name: "people.csv" })).toBe("upload:u1");
    const { came } = started.service;
    expect(came.map(({ path, body }) => [path, body])).toEqual(
      Array(3).fill(["/v2/uploads?name=people.csv", "email\na@x.org\n"]),
    );
    expect(new Set(came.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
    expect(came[0]?.headers.authorization).toBe(`Basic ${Buffer.from(`${apiKey}:`).toString("base64")}`);
  });

  test("is refused with the last answer when that does not end, and at once for what no repeat mends", async () => {
    await using started = await start([busy]);
    expect(await failureOf(started.client.upload(file))).toMatchObject({ status: 429, code: "RATE_LIMITED" });
    expect(started.service.came).toHaveLength(4);
    for (const status of [413, 422, 500]) {
      await using refusing = await start([refused(status, "X")]);
      expect(await failureOf(refusing.client.upload(file))).toMatchObject({ status });
      expect(refusing.service.came).toHaveLength(1);
    }
  });

  test("is not sent again when no answer came", async () => {
    await using started = await start(["cut", taken]);
    const failure = await failureOf(started.client.upload(file));
    expect([failure instanceof ClientError, Reflect.get(Object(failure), "code")]).toEqual([true, "UNDELIVERED"]);
    expect(started.service.came).toHaveLength(1);
  });
});

describe("a download", () => {
  const link = "/v2/files/f?expires=1&signature=s";

  test("is asked for again while nothing came, and sends no key", async () => {
    await using started = await start([busy, "cut", away, { status: 200, body: "a,b\r\n" }]);
    expect(await textOf(await started.client.download(link))).toBe("a,b\r\n");
    const { came } = started.service;
    expect(came.map(({ path }) => path)).toEqual(Array(4).fill(link));
    expect(came.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  });

  test("of an empty file has no bytes, and of one that is gone is refused", async () => {
    await using empty = await start([{ status: 200, body: "" }]);
    expect(await textOf(await empty.client.download(link))).toBe("");
    await using gone = await start([refused(404, "RECORD_NOT_FOUND")]);
    expect(await failureOf(gone.client.download(link))).toMatchObject({ status: 404, code: "RECORD_NOT_FOUND" });
    await using busyOne = await start([busy]);
    expect(await failureOf(busyOne.client.download(link))).toMatchObject({ status: 429 });
  });
});
