import { randomBytes } from "node:crypto";
import { createOutbound, createSealer } from "@headwater/kernel";
import { createTestChain, startSmtpServer } from "@headwater/testing";
import { expect, test } from "vitest";
import { startService } from "../service/running.ts";

const PASSWORD = "a password of mine";

test("a check shows what keeps a transport from sending, sends nothing and shows no secret", async () => {
  const server = await startSmtpServer({ password: PASSWORD });
  const transportOutbound = createOutbound({ allow: ["127.0.0.1"] });
  const resolveTxt = async (name: string) => (name === "example.com" ? ["v=spf1 mx -all"] : []);
  const open = await startService({ transportOutbound, resolveTxt, sealer: createSealer([randomBytes(32)]) });
  const as = await open.key((await open.account()).account, { scopes: ["transports:write"] });
  const reader = await open.key((await open.account()).account, { scopes: ["transports:read"] });
  const other = await open.key((await open.account()).account, { scopes: ["write", "admin"] });
  const at = { host: "127.0.0.1", port: server.port, tls: "none", username: "u", fromDomains: ["example.com"] };
  const created = await open.call(as, "/v2/transports", {
    method: "POST",
    body: { name: "Mail", channel: "email", type: "smtp", settings: { ...at, password: PASSWORD } },
  });
  const url = `/v2/transports/${created.body.id}/check`;
  const check = async (by = as) => open.call(by, url, { method: "PUT" });
  const { status, body } = await check();
  expect([status, body.ok]).toEqual([200, false]);
  const signs = body.checks.map(({ name, ok }: { name: string; ok: boolean }) => `${ok ? "+" : "-"}${name}`);
  expect(signs).toEqual(["+connection", "+tls", "+login", "-dkim", "+spf", "-dmarc"]);
  expect(JSON.stringify(body)).not.toContain(PASSWORD);
  expect(await server.taken()).toEqual([]);
  expect([(await check(reader)).status, (await check(other)).status]).toEqual([403, 404]);
  const log = await open.call(as, "/v2/transports", {
    method: "POST",
    body: { name: "L", channel: "sms", type: "log" },
  });
  const answer = await open.call(as, `/v2/transports/${log.body.id}/check`, { method: "PUT" });
  expect(answer.body).toEqual({ ok: true, checks: [{ name: "connection", ok: true, message: expect.any(String) }] });
  await Promise.all([open.stop(), server.stop()]);
});

test("a check says why the certificate of a server is not taken, and passes where any will do", async () => {
  const certificate = await (await createTestChain()).issue();
  const server = await startSmtpServer({ certificate, password: PASSWORD });
  const transportOutbound = createOutbound({ allow: ["127.0.0.1"] });
  const open = await startService({ transportOutbound, resolveTxt: async () => [] });
  const as = await open.key((await open.account()).account, { scopes: ["transports:write"] });
  const checkTls = async (tls: string) => {
    const settings = { host: "127.0.0.1", port: server.port, tls };
    const body = { name: tls, channel: "email", type: "smtp", settings };
    const { id } = (await open.call(as, "/v2/transports", { method: "POST", body })).body;
    const { checks } = (await open.call(as, `/v2/transports/${id}/check`, { method: "PUT" })).body;
    return checks.find(({ name }: { name: string }) => name === "tls");
  };
  // Nobody told the service of the root.
  const message = "No authority that is trusted here vouches for the server's certificate.";
  expect(await checkTls("required")).toEqual({ name: "tls", ok: false, message });
  expect(await checkTls("opportunistic")).toMatchObject({ ok: true });
  await Promise.all([open.stop(), server.stop()]);
});
