import { createOutbound } from "@headwater/kernel";
import { createTestCertificate, startSmtpServer, type TestCertificate, type TestSmtpServer } from "@headwater/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSmtpHandover } from "./smtpHandover.ts";
import type { SmtpTarget } from "./smtpTarget.ts";

const outbound = createOutbound({ allow: ["127.0.0.1"] });
const PASSWORD = "not a secret";
const mail = {
  ...{ mcId: "a:m:b:c:1", channel: "email", address: "ada@example.org", copies: [], content: {}, headers: {} },
  ...{ raw: Buffer.from("Message-ID: <m1@example.com>\r\n\r\nx\r\n"), returnPath: "" },
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
