import { createRenderView } from "@headwater/messaging/tracker/view/renderView";
import { createTrackingTokens } from "@headwater/messaging/tracking/trackingTokens";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CID, ROOT } from "../batchMessages/messageWorld.ts";
import { cidOf } from "../batchMessages/sendWorld.ts";
import { email } from "../templates/templateWorld.ts";
import { type BatchWorld, batchWorld, content, reachedBy, receipt } from "./batchWorld.ts";

let world: BatchWorld;
beforeAll(async () => {
  world = await batchWorld();
  await world.join([1, 2, 3]);
});
afterAll(() => world.stop());
beforeEach(() => void world.mails.splice(0));

const sendTest = (id: string, body: unknown) => world.call("PUT", `${ROOT}/${id}/sendtest`, body);
/** A recipient of a test who is no contact. */
const NOBODY = "0".repeat(24);
const HELD_OUT = { entry: { holdoutPercent: 100 } };

describe("a test of a batch message", () => {
  test("goes to contacts and to people whom nobody knows, leaves no activity, and counts nowhere", async () => {
    const id = await world.make({ ...receipt, message: content("Draft"), ...HELD_OUT });
    const { status, body } = await sendTest(id, {
      email: ["c1@example.com", "nobody@example.com", "noone@example.com"],
      cID: [CID, "0".repeat(23).concat("9")],
    });
    expect([status, body.message]).toEqual([200, "4 of 5 stored to be sent."]);
    expect(body.messagecontacts).toMatchObject([
      { accepted: true, cID: cidOf(1), email: "c1@example.com", mcID: `${world.account.id}:${id}:t:${cidOf(1)}:2` },
      { accepted: true, cID: NOBODY, mcID: `${world.account.id}:${id}:t:${NOBODY}:2`, email: "nobody@example.com" },
      { accepted: true, cID: NOBODY, mcID: `${world.account.id}:${id}:t:${NOBODY}:3`, email: "noone@example.com" },
      { accepted: true, cID: CID, email: "ada@example.com" },
      { accepted: false, error: "not-found" },
    ]);
    await world.sendAll();
    expect(world.mails.map(({ address }) => address).toSorted()).toEqual([
      "ada@example.com",
      "c1@example.com",
      "nobody@example.com",
      "noone@example.com",
    ]);
    const sent = await world.service.postgres.query<{ payload: string }>({ text: "SELECT 1 FROM outbox" });
    expect(sent).toEqual([]);
    expect((await world.call("GET", `${ROOT}/${id}/sends`)).body.data).toEqual([]);
    expect((await world.call("GET", "/v2/contacts/nobody%40example.com")).status).toBe(404);
    expect(await world.see(id)).toMatchObject({ status: "draft" });
  });

  test("shows an empty contact, with the cID of its answer, to somebody whom nobody knows", async () => {
    const view = "{{ contact.cID }}/{{ contact.identifiers.email }}/{{ contact.channels.email.address }}";
    const message = email(`<p>${view}</p>`, { replyEmail: "a@example.com" });
    const id = await world.make({ ...receipt, message });
    const { body } = await sendTest(id, { email: ["nobody@example.com"] });
    await world.sendAll();
    const [{ cID }] = body.messagecontacts;
    expect(cID).toBe(NOBODY);
    expect(world.mails.map(({ content: { "text/plain": text } }) => text)).toEqual([`${cID}//nobody@example.com`]);
  });

  test("to somebody whom nobody knows has links whose page finds nobody", async () => {
    const link = '<a href="{{ links.view }}">view</a> <a href="{{ links.unsubscribe }}">x</a>';
    const id = await world.make({ audience: receipt.audience, message: email(link, { replyEmail: "a@example.com" }) });
    await sendTest(id, { email: ["nobody@example.com"] });
    await world.sendAll();
    const [mail = expect.fail()] = world.mails;
    expect(mail.raw?.toString()).toMatch(/^List-Unsubscribe-Post: /m);
    const tokens = createTrackingTokens([Buffer.alloc(32, 1)]);
    const [, sealed = ""] = /\/t\/v\/([\w-]+)/.exec(mail.content["text/html"] ?? "") ?? [];
    const { names = expect.fail(), ...token } = tokens.open(sealed, ["view"]) ?? expect.fail();
    const ports = { session: world.service.postgres, renders: world.renders, tokens, nowMs: Date.now };
    const renderView = createRenderView({ ...ports, trackingUrl: "https://t.example.com" });
    expect(await renderView({ ...token, names })).toBeUndefined();
  });

  test("shows a draft as it stood at the call, with the includes of that time", async () => {
    await world.call("POST", "/v2/includes", { key: "foot", content: "First foot" });
    const id = await world.make({
      ...receipt,
      message: email("<p>First {% include 'foot' %}</p>", { replyEmail: "a@example.com" }),
    });
    await sendTest(id, { email: ["c1@example.com"] });
    await world.call("PUT", "/v2/includes/foot", { content: "Second foot" });
    await world.call("PUT", `${ROOT}/${id}`, { message: content("Second") });
    await world.sendAll();
    expect(world.mails.map(({ content: { "text/plain": text } }) => text)).toEqual(["First First foot"]);
  });

  test("takes nothing from the audience: those who were tested get the message itself once, whatever becomes of the test", async () => {
    const id = await world.make({ ...receipt, message: content("All") });
    await sendTest(id, { email: ["c1@example.com"] });
    await sendTest(id, { email: ["c1@example.com"] });
    await world.put(id, "send");
    await world.work(id);
    expect(await world.put(id, "pause")).toBe("200 paused");
    await sendTest(id, { email: ["c2@example.com"] });
    await world.sendAll();
    expect(reachedBy(world.mails)).toEqual([1, 1, 2]);
    expect(world.mails.every(({ mcId }) => mcId.includes(":t:"))).toBe(true);
    await world.put(id, "resume");
    await world.work(id);
    await world.sendAll();
    await world.work(id);
    expect(reachedBy(world.mails)).toEqual([1, 1, 1, 2, 2, 3]);
    expect(await world.see(id)).toMatchObject({ status: "sent", audienceTotal: 3, delivery: { sent: 3, pending: 0 } });
    const late = await sendTest(id, { email: ["c1@example.com"] });
    expect([late.status, late.body.code, late.body.from, late.body.allowed]).toEqual([
      409,
      "INVALID_STATE_TRANSITION",
      "sent",
      [],
    ]);
  });

  test("obeys suppressions, not subscriptions, caps or quiet hours", async () => {
    const message = email('<a href="{{ links.unsubscribe }}">x</a>', { replyEmail: "a@example.com" });
    const id = await world.make({ audience: receipt.audience, message });
    await world.call("POST", "/v2/suppressions", { channel: "email", address: "gone@example.com" });
    const quietHours = { from: "00:00", to: "23:59" };
    const caps = [{ channel: "email", count: 1, per: { n: 1, unit: "day" } }];
    await world.call("PUT", "/v2/account", { messaging: { quietHours, caps } });
    const { body } = await sendTest(id, { email: ["c1@example.com", "c1@example.com", "gone@example.com"] });
    expect(body.messagecontacts).toMatchObject([
      { accepted: true },
      { accepted: true },
      { accepted: false, error: "suppressed" },
    ]);
    await world.sendAll();
    expect(reachedBy(world.mails)).toEqual([1, 1]);
    await world.call("PUT", "/v2/account", { messaging: { quietHours: null, caps: null } });
  });

  test("is refused without a transport, content or usable recipients, and by other accounts", async () => {
    const id = await world.make({ ...receipt, message: content("No") });
    const addresses = (count: number) => Array.from({ length: count }, (_, index) => `t${index}@example.com`);
    const code = async (body: unknown) => {
      const { status, body: answer } = await sendTest(id, body);
      return `${status} ${answer.details?.[0].path ?? ""}`;
    };
    expect(await code({ email: addresses(20) })).toBe("200 ");
    expect(await code({ email: addresses(19), phone: ["+4915112345678", "+4915112345679"] })).toBe("422 ");
    expect(await code({ email: addresses(21) })).toBe("422 /email");
    expect(await code({})).toBe("422 ");
    expect(await code({ email: [] })).toBe("422 ");
    expect(await code({ email: ["a@example.com"], phone: ["no number"] })).toBe("422 /phone/0");
    expect(await code({ color: ["blue"] })).toBe("422 /color/0");
    const empty = await world.call("POST", ROOT, { channel: "email", classification: "transactional" });
    expect((await sendTest(empty.body.id, { email: addresses(1) })).body.details).toMatchObject([
      { path: "/message", code: "required" },
    ]);
    const sms = await world.call("POST", ROOT, {
      channel: "sms",
      classification: "transactional",
      message: { content: { "text/plain": "Hi" } },
    });
    expect((await sendTest(sms.body.id, { phone: ["+4915112345678"] })).body.code).toBe("TRANSPORT_REQUIRED");
    expect((await sendTest("65f0c0ffee65f0c0ffee9999", { email: addresses(1) })).status).toBe(404);
    const other = await world.call("PUT", `${ROOT}/${id}/sendtest`, { email: addresses(1) }, world.otherKey);
    expect(other.status).toBe(404);
  });
});
