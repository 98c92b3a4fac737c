import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { findAccountByNumber } from "@headwater/accounts/accounts/accounts";
import { deliverNotices } from "@headwater/jobs/notices/deliverNotices";
import { createMailer } from "@headwater/jobs/notices/mailer";
import { createOutbound, createSealer, manualClock } from "@headwater/kernel";
import { SMTPServer } from "smtp-server";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { seedAnalytics } from "../contract/analytics/analyticsWorld.ts";
import { type ExportWorld, haveRead, startExportWorld } from "../contract/analytics/exports/exportWorld.ts";
import { logger } from "../contract/stores/fresh.ts";

const outbound = createOutbound({ allow: ["127.0.0.0/8"] });
const sealer = createSealer([Buffer.alloc(32, 7)]);
const SECRET = `whsec_${Buffer.from("a secret of thirty-two characters").toString("base64")}`;
const ADDRESS = "ada@receiver.example";

const received: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
const answers: { readonly status: number; readonly headers?: Record<string, string> }[] = [];
const hook = createServer((request, answer) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    const { status, headers = {} } = answers.shift() ?? { status: 204 };
    answer.writeHead(status, headers).end();
  });
});
const mails: string[] = [];
const smtp = new SMTPServer({
  disabledCommands: ["AUTH", "STARTTLS"],
  onData(stream, _session, done) {
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => {
      mails.push(Buffer.concat(chunks).toString());
      done();
    });
  },
});
const clock = manualClock(Date.now());
let world: ExportWorld;
let url: string;
let smtpUrl: string;
beforeAll(async () => {
  world = await startExportWorld({ outbound, sealer, canMail: true });
  await seedAnalytics(world.service, world.account, 0);
  await haveRead(world, 1);
  await new Promise<void>((resolve) => hook.listen(0, "127.0.0.1", resolve));
  await new Promise<void>((resolve) => smtp.listen(0, "127.0.0.1", resolve));
  const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
  url = `http://127.0.0.1:${portOf(hook)}/status`;
  smtpUrl = `smtp://127.0.0.1:${portOf(smtp.server)}`;
});
afterAll(async () => {
  await Promise.all([world.drop(), outbound.close()]);
  await new Promise((resolve) => hook.close(resolve));
  await new Promise<void>((resolve) => smtp.close(() => resolve()));
});
beforeEach(() => {
  for (const list of [received, answers, mails]) list.length = 0;
  clock.setNowMs(Date.now());
});

const save = async (settings: object) => {
  const key = await world.service.key(world.account, { scopes: ["account:write"] });
  return world.service.call(key, "/v2/account", { method: "PUT", body: settings });
};
const ask = (body: object) => world.post("contactexports", { fields: "*", ...body });
const deliver = (allowed = outbound) =>
  deliverNotices({
    postgres: world.service.postgres,
    outbound: allowed,
    sealer,
    clock,
    logger,
    account: (number) => findAccountByNumber(world.service.postgres, number),
    sendMail: createMailer({ url: smtpUrl, from: "headwater@sender.example" }),
  });
const existing = async () => world.service.postgres.query({ text: "SELECT job, target FROM job_notices" });
const later = (ms: number) => clock.setNowMs(clock.nowMs() + ms);

describe("the end of a job", () => {
  test("is delivered to nobody without a secret to sign with", async () => {
    const { status, body } = await ask({ jobStatusWebhookUrl: url });
    expect([status, body.code, body.details]).toMatchObject([
      422,
      "EXPORT_CONFIGURATION_ERROR",
      [{ path: "/jobStatusWebhookUrl", code: "not_allowed" }],
    ]);
  });

  test("is posted, signed by the account's secret, and the same again until it was taken", async () => {
    expect((await save({ webhookSecret: SECRET })).status).toBe(200);
    const { body } = await ask({ jobStatusWebhookUrl: url });
    await deliver();
    expect(received).toEqual([]);
    expect(JSON.stringify(await existing())).not.toContain(url);
    await world.workOn(body.jobId);
    clock.setNowMs(Date.now() + 1_000);
    answers.push({ status: 500 }, { status: 302, headers: { location: url } });
    await deliver();
    await deliver();
    expect(received).toHaveLength(1);
    later(6_000);
    await deliver();
    later(301_000);
    await deliver();
    expect(received).toHaveLength(3);
    for (const { headers, body: text } of received) {
      const signed = {
        "webhook-id": String(headers["webhook-id"]),
        "webhook-timestamp": String(Math.floor(Date.now() / 1_000)),
        "webhook-signature": "",
      };
      const at = new Date(1_000 * Number(headers["webhook-timestamp"]));
      expect(headers["webhook-signature"]).toBe(new Webhook(SECRET).sign(signed["webhook-id"], at, text));
      expect(JSON.parse(text)).toMatchObject({ type: "job.done", data: { id: body.jobId, status: "Done" } });
    }
    expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(await existing()).toEqual([]);
  });

  test("is delivered for a canceled job, and after the worker was killed while it delivered", async () => {
    const { body } = await ask({ jobStatusWebhookUrl: url });
    await world.service.call(world.key, `/v2/jobs/${body.jobId}/cancel`, { method: "PUT" });
    clock.setNowMs(Date.now() + 1_000);
    // A sender took it and came no further.
    await world.service.postgres.execute({ text: "UPDATE job_notices SET next_at = next_at + 60000, attempts = 1" });
    await deliver();
    expect(received).toEqual([]);
    later(61_000);
    await deliver();
    expect(received.map(({ body: text }) => JSON.parse(text).type)).toEqual(["job.canceled"]);
  });

  test("is not posted to a private address", async () => {
    const { body } = await ask({ jobStatusWebhookUrl: url });
    await world.workOn(body.jobId);
    clock.setNowMs(Date.now() + 1_000);
    const publicOnly = createOutbound({ allow: [] });
    await deliver(publicOnly);
    await publicOnly.close();
    expect(received).toEqual([]);
    expect(await existing()).toHaveLength(1);
    later(6_000);
    answers.push({ status: 410 });
    await deliver();
    expect([received.length, await existing()]).toEqual([1, []]);
  });

  test("is mailed, and the address is kept no longer than that", async () => {
    const { status, body } = await ask({ confirmEmail: ADDRESS });
    expect([status, body]).toEqual([202, { jobId: expect.any(String) }]);
    const stored = JSON.stringify([
      await existing(),
      await world.service.postgres.query({ text: "SELECT input::text FROM jobs" }),
    ]);
    expect(stored).not.toContain(ADDRESS);
    await world.workOn(body.jobId);
    clock.setNowMs(Date.now() + 1_000);
    await deliver();
    expect(mails).toHaveLength(1);
    expect(mails[0]).toContain(`To: ${ADDRESS}`);
    expect(mails[0]).toContain(body.jobId);
    expect(await existing()).toEqual([]);
  });

  test("is refused an address that is none", async () => {
    for (const [member, value] of [
      ["confirmEmail", "nobody"],
      ["jobStatusWebhookUrl", "ftp://x"],
      ["jobStatusWebhookUrl", "https://user:secret@x.example"],
    ] as const) {
      const { status, body } = await ask({ [member]: value });
      expect([status, body.details]).toMatchObject([422, [{ path: `/${member}`, code: "bad_value" }]]);
    }
    expect(await ask({ confirmEmail: "a@b.c" })).toMatchObject({ status: 202 });
  });
});
