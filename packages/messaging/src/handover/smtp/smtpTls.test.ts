import { createOutbound } from "@headwater/kernel";
import {
  createTestCertificate,
  createTestChain,
  type LeafWanted,
  startSmtpServer,
  type TestCertificate,
  type TestChain,
  type TestSmtpServer,
} from "@headwater/testing";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { smtpChecks } from "../../check/smtpChecks.ts";
import { createSmtpHandover } from "./smtpHandover.ts";
import type { SmtpTarget } from "./smtpTarget.ts";

const outbound = createOutbound({ allow: ["127.0.0.1"] });
const PASSWORD = "not a secret";
const mail = {
  ...{ mcId: "a:m:b:c:1", channel: "email", address: "ada@example.org", copies: [], content: {}, headers: {} },
  ...({ classification: "promotional", returnPath: "" } as const),
  raw: Buffer.from("Message-ID: <m1@example.com>\r\n\r\nx\r\n"),
};
let certificate: TestCertificate;
let withTls: TestSmtpServer;
let plain: TestSmtpServer;
beforeAll(async () => {
  certificate = await createTestCertificate();
  withTls = await startSmtpServer({ certificate, password: PASSWORD });
  plain = await startSmtpServer({ password: PASSWORD });
});
afterAll(() => Promise.all([withTls.stop(), plain.stop(), outbound.close()]));

async function deliver(server: TestSmtpServer, tls: SmtpTarget["tls"], isTrusted: boolean) {
  const target: SmtpTarget = {
    ...{ host: "127.0.0.1", port: server.port, username: "u", password: PASSWORD },
    ...(tls !== undefined && { tls }),
  };
  const handover = createSmtpHandover(target, { outbound, ...(isTrusted && { authority: certificate.cert }) });
  const result = await handover.deliver(mail, new AbortController().signal);
  await handover.close();
  return result.outcome;
}

describe("TLS", () => {
  test.each([
    ["required", "a certificate that is trusted", true, "sent"],
    ["required", "a certificate that nobody vouches for", false, "deferred"],
    ["opportunistic", "a certificate that nobody vouches for", false, "sent"],
    [undefined, "a certificate that nobody vouches for, where a password goes out", false, "deferred"],
    ["none", "a certificate that nobody vouches for", false, "sent"],
  ] as const)("%s with %s", async (tls, _certificate, isTrusted, kind) => {
    expect((await deliver(withTls, tls, isTrusted)).kind).toBe(kind);
  });

  test.each([
    ["required", "transport-failure"],
    ["opportunistic", "sent"],
    ["none", "sent"],
  ] as const)("%s where the server has none", async (tls, kind) => {
    expect((await deliver(plain, tls, true)).kind).toBe(kind);
  });

  test.each([
    ["454", { kind: "answer", code: 454 }, { kind: "deferred", slowsDown: true }],
    ["a reset", { kind: "reset" }, { kind: "deferred", slowsDown: false }],
  ] as const)("answered by %s at STARTTLS is tried later", async (_name, action, outcome) => {
    await withTls.behave({ command: "STARTTLS", action });
    expect(await deliver(withTls, "required", true)).toMatchObject(outcome);
    await withTls.behave();
  });
});

describe("a server whose certificate comes by an intermediate authority", () => {
  const UNTRUSTED = "No authority that is trusted here vouches for the server's certificate.";
  const OTHER_HOST = { hosts: ["mail.example.org"] };
  const REFUSED: readonly (readonly [string, LeafWanted, string])[] = [
    ["that has expired", { isExpired: true }, "The server's certificate has expired."],
    ["for another host", OTHER_HOST, "The server's certificate is for another host name."],
    ["without its intermediate", { withoutIntermediate: true }, UNTRUSTED],
  ];
  let chain: TestChain;
  let server: TestSmtpServer | undefined;
  beforeAll(async () => {
    chain = await createTestChain();
  });
  afterEach(async () => {
    await server?.stop();
    server = undefined;
  });

  const start = async (wanted: LeafWanted) => {
    server = await startSmtpServer({ certificate: await chain.issue(wanted), password: PASSWORD });
    return server;
  };
  /** Hands a mail over by a transport that trusts the root. */
  const send = async (to: TestSmtpServer, tls: SmtpTarget["tls"], authority = chain.root) => {
    const target = { host: "127.0.0.1", port: to.port, username: "u", password: PASSWORD, ...(tls && { tls }) };
    const handover = createSmtpHandover(target, { outbound, authority });
    const delivered = await handover.deliver(mail, new AbortController().signal);
    await handover.close();
    const [, found] = await smtpChecks(target, { outbound, authority });
    return { ...delivered, found };
  };

  test("is trusted by its root, by name and by chain", async () => {
    const delivered = await send(await start({}), "required");
    expect(delivered).toMatchObject({ outcome: { kind: "sent" }, found: { name: "tls", ok: true } });
    expect(await server?.taken()).toHaveLength(1);
  });

  test.each(REFUSED)("%s gets nothing where TLS is required, and the error says why", async (_, wanted, text) => {
    const delivered = await send(await start(wanted), "required");
    const found = { name: "tls", ok: false, message: text };
    expect(delivered).toMatchObject({ outcome: { kind: "deferred", slowsDown: false }, text, found });
    expect(await server?.taken()).toEqual([]);
  });

  test.each(REFUSED)("%s gets the mail, encrypted, where any certificate will do", async (_, wanted) => {
    const delivered = await send(await start(wanted), "opportunistic");
    expect(delivered).toMatchObject({
      outcome: { kind: "sent" },
      found: { ok: true, message: expect.stringContaining("is encrypted") },
    });
  });

  test("of another root is nobody's where TLS is required", async () => {
    const { root } = await createTestChain();
    expect(await send(await start({}), "required", root)).toMatchObject({
      outcome: { kind: "deferred" },
      text: UNTRUSTED,
    });
  });
});
