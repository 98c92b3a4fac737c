import { randomBytes } from "node:crypto";
import { createOutbound, createSealer } from "@headwater/kernel";
import { startSmtpServer } from "@headwater/testing";
import { expect, test } from "vitest";
import { startService } from "./running.ts";

const PASSWORD = "a password of mine";

test("a check shows what keeps a transport from sending, sends nothing and shows no secret", async () => {
  const server = await startSmtpServer({ password: PASSWORD });
  const transportOutbound = createOutbound({ allow: ["127.0.0.1"] });
  const resolveTxt = async (name: string) => (name === "example.com" ? ["v=spf1 mx -all"] : []);
  const open = await startService({ transportOutbound, resolveTxt, sealer: createSealer([randomBytes(32)]) });
  const as = await open.key((await open.account()).account, { scopes: ["transports:write"] });
  const reader = await open.key((await open.account()).account, { scopes: ["transports:read"] });
  const other = await open.key((await open.account()).account, { scopes: ["write"] });
  const at = { host: "127.0.0.1", port: server.port, tls: "none", username: "u", fromDomains: ["example.com"] };
  const made = await open.call(as, "/v2/transports", {
    method: "POST",
    body: { name: "Mail", channel: "email", type: "smtp", settings: { ...at, password: PASSWORD } },
  });
  const url = `/v2/transports/${made.body.id}/check`;
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
