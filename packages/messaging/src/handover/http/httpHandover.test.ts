import { Agent, createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { transportSecretContext } from "@headwater/contracts";
import { createOutbound, createSealer, systemClock } from "@headwater/kernel";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { OutgoingMail } from "../../frozen/handover.ts";
import { createRenderer } from "../../renderer/createRenderer.ts";
import { createHandover } from "../createHandover.ts";

const SECRET = `whsec_${Buffer.from("a secret of thirty-two characters").toString("base64")}`;
const outbound = createOutbound({ allow: ["127.0.0.1"] });
const renders = createRenderer();
const sealer = createSealer([Buffer.alloc(32, 7)]);
const lines: object[] = [];
const logger = { info: (line: object) => lines.push(line) };
const received: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
let answer: (response: ServerResponse) => void;
const service = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    answer(response);
  });
});
let url: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  const address = service.address();
  if (address === null || typeof address === "string") throw new Error("a TCP server has a port");
  url = `http://127.0.0.1:${address.port}/messages`;
});
afterAll(async () => {
  await Promise.all([outbound.close(), renders.close()]);
  service.closeAllConnections();
  await new Promise((resolve) => service.close(resolve));
});
beforeEach(() => {
  received.length = 0;
  answer = (response) =>
    response.writeHead(202, { "content-type": "application/json" }).end('{"messages":[{"id":77}]}');
});

const mail: OutgoingMail = {
  ...{ mcId: "a1:m1:b:c1:1", channel: "sms", address: "+4915112345678", copies: [], returnPath: "" },
  ...{ classification: "promotional", content: { "text/plain": 'Hello "Ada"' }, headers: { from: "Shop" } },
};
const transport = { id: "t1", accountId: "a1", account: 1 } as const;
const ports = { outbound, renders, sealer, clock: systemClock, logger: logger as never };
const open = (settings: object, signingSecret?: string) =>
  createHandover(
    {
      ...transport,
      ...{ type: "http" as const, settings: JSON.stringify({ url, ...settings }) },
      ...(signingSecret !== undefined && { signingSecret }),
    },
    ports,
  );
const deliver = (settings: object = {}) => open(settings).deliver(mail, new AbortController().signal);

describe("a message", () => {
  test("goes out as our envelope, signed, with the same key for every try", async () => {
    const handover = open({ accepted: { idPath: "messages[0].id" } }, SECRET);
    const signal = new AbortController().signal;
    const [first] = [await handover.deliver(mail, signal), await handover.deliver(mail, signal)];
    expect(first).toMatchObject({ outcome: { kind: "sent" }, code: 202, providerId: "77" });
    expect(received).toHaveLength(2);
    for (const { headers, body } of received) {
      const sent: unknown = new Webhook(SECRET).verify(body, {
        "webhook-id": String(headers["webhook-id"]),
        "webhook-timestamp": String(headers["webhook-timestamp"]),
        "webhook-signature": String(headers["webhook-signature"]),
      });
      const id = headers["idempotency-key"];
      expect(sent).toEqual({
        ...{ id, channel: "sms", from: "Shop", to: "+4915112345678" },
        ...{ text: 'Hello "Ada"', mcID: "a1:m1:b:c1:1" },
      });
    }
    expect(new Set(received.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
    expect(JSON.stringify(received[0]?.headers)).not.toContain(mail.address);
  });

  test("of email has what a relay puts the mail together from", async () => {
    const headers = { "List-Unsubscribe": "<https://t.example/t/u/a>", "List-Id": "<a.example.com>" };
    const attachments = [{ filename: "a.txt", contentType: "text/plain", content: "YQ==" }];
    const email: OutgoingMail = {
      ...{ ...mail, channel: "email", address: "ada@example.com", copies: ["copy@example.com"] },
      content: { "text/html": "<p>Hi</p>", "text/plain": "Hi" },
      headers: { subject: "Hello", fromEmail: "news@example.com", fromDesc: "Shop" },
      relayed: { headers, fromName: "Shop", replyTo: "help@example.com", attachments },
    };
    const signal = new AbortController().signal;
    await open({}).deliver(email, signal);
    await open({ body: '{"unsubscribe": {{ headers["List-Unsubscribe"] | json }}, "bcc": {{ bcc | json }}}' }).deliver(
      email,
      signal,
    );
    const [fallback, own] = received.map(({ body }) => JSON.parse(body));
    expect(fallback).toEqual({
      ...{ id: expect.any(String), channel: "email", from: "news@example.com", to: "ada@example.com" },
      ...{ text: "Hi", html: "<p>Hi</p>", subject: "Hello", mcID: mail.mcId },
      ...{ headers, fromName: "Shop", replyTo: "help@example.com", bcc: ["copy@example.com"], attachments },
    });
    expect(own).toEqual({ unsubscribe: headers["List-Unsubscribe"], bcc: ["copy@example.com"] });
  });

  test("takes the transport's own body and its sealed headers", async () => {
    const sealed = sealer.seal("Bearer x", transportSecretContext("a1", "t1", "headers/authorization"));
    const headers = { Accept: "text/plain", Authorization: { sealed, last4: "" } };
    await deliver({ headers, body: '{"number": {{ to | json }}, "words": {{ text | json }}}' });
    expect(received[0]?.headers).toMatchObject({ accept: "text/plain", authorization: "Bearer x" });
    expect(JSON.parse(received[0]?.body ?? "")).toEqual({ number: mail.address, words: 'Hello "Ada"' });
  });

  test("whose body renders to no JSON is our side, and does not go out", async () => {
    expect(await deliver({ body: '{"words": "{{ text }}"}' })).toMatchObject({
      outcome: { kind: "transport-failure" },
    });
    expect(received).toEqual([]);
  });
});

test("a transactional message is the next one handed over, whatever promotional ones wait for the connection", async () => {
  const handover = open({ connections: 1 });
  const { signal } = new AbortController();
  const waiting = Array.from({ length: 51 }, () => handover.deliver(mail, signal));
  const confirmation = { ...mail, classification: "transactional" as const, address: "+4915112345679" };
  const numbers = () => received.map(({ body }) => JSON.parse(body).to);
  await waiting[0];
  await Promise.all([...waiting, handover.deliver(confirmation, signal)]);
  expect([received.length, numbers().indexOf(confirmation.address)]).toEqual([52, 2]);
});

const deferred = { kind: "deferred", slowsDown: false };
test.each([
  [200, {}, { kind: "sent" }],
  [200, { accepted: { statuses: [202] } }, { kind: "transport-failure" }],
  [409, { accepted: { statuses: [202, 409] } }, { kind: "sent" }],
  [301, {}, { kind: "transport-failure" }],
  [401, {}, { kind: "transport-failure" }],
  [413, {}, { kind: "soft-bounce", bounce: "size" }],
  [422, {}, { kind: "soft-bounce", bounce: "other" }],
  [429, {}, { kind: "deferred", slowsDown: true }],
  [500, {}, deferred],
  [502, {}, { kind: "unknown" }],
  [502, { idempotent: true }, deferred],
])("an answer %i under %j", async (status, settings, outcome) => {
  answer = (response) => response.writeHead(status, { location: url }).end("words\r\nof theirs");
  expect(await deliver(settings)).toEqual({ outcome, code: status, text: "words of theirs" });
  expect(received).toHaveLength(1);
});

describe("a lost answer", () => {
  test.each([
    [false, { kind: "unknown" }],
    [true, deferred],
  ])("of a service whose being idempotent is %s", async (idempotent, outcome) => {
    answer = (response) => response.destroy();
    expect(await deliver({ idempotent })).toEqual({ outcome });
    answer = () => undefined;
    expect(await deliver({ idempotent, answerTimeoutSeconds: 1 })).toEqual({ outcome });
  });
});

describe("a request that cannot have left", () => {
  test("is our side where a header of the transport makes it impossible", async () => {
    for (const headers of [{ "X-Sender": "Café €" }, { "keep-alive": "5" }]) {
      const { outcome, text } = await deliver({ headers });
      expect(outcome).toEqual({ kind: "transport-failure" });
      expect(text).toContain(Object.keys(headers)[0]);
    }
    expect(received).toEqual([]);
  });

  test("is tried later where its time ends before it has a connection", async () => {
    answer = () => undefined;
    const narrow = new Agent({ maxSockets: 1 });
    const within = (answerTimeoutSeconds: number) =>
      createHandover(
        { ...transport, type: "http", settings: JSON.stringify({ url, answerTimeoutSeconds }) },
        { ...ports, outbound: { ...outbound, httpAgent: narrow } },
      ).deliver(mail, new AbortController().signal);
    expect(await Promise.all([within(2), within(1)])).toEqual([
      { outcome: { kind: "unknown" } },
      { outcome: deferred },
    ]);
    expect(received).toHaveLength(1);
    narrow.destroy();
  });
});

test("a service that nobody reaches is tried later, one at a private address never", async () => {
  expect(await deliver({ url: "http://127.0.0.1:1/" })).toEqual({ outcome: deferred });
  const guarded = createOutbound({ allow: [] });
  const handover = createHandover(
    { ...transport, type: "http", settings: JSON.stringify({ url }) },
    { ...ports, outbound: guarded },
  );
  const result = await handover.deliver(mail, new AbortController().signal);
  const text = expect.stringContaining("HEADWATER_PRIVATE_TRANSPORTS");
  expect(result).toMatchObject({ outcome: { kind: "transport-failure" }, text });
  expect(received).toEqual([]);
  await guarded.close();
});

test("the log names the message and neither its address nor its words", async () => {
  const handover = createHandover({ ...transport, type: "log", settings: "{}" }, ports);
  expect(await handover.deliver(mail, new AbortController().signal)).toEqual({ outcome: { kind: "sent" } });
  expect(lines).toEqual([{ mcId: mail.mcId, channel: "sms", bytes: 11 }]);
});
