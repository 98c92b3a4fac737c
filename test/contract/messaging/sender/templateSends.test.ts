import { messageIdOf } from "@headwater/messaging/compose/composeMail";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ROOT, type SenderWorld, senderWorld } from "./senderWorld.ts";

let world: SenderWorld;
beforeAll(async () => {
  world = await senderWorld({ messaging: { caps: [{ channel: "email", count: 2, per: { n: 1, unit: "day" } }] } });
  await world.make("receipt", { classification: "transactional", tags: ["shop"] });
  await world.make("offer", { classification: "promotional" });
});
afterAll(() => world.close());
beforeEach(async () => {
  world.mails.length = 0;
  world.answer(() => ({ outcome: { kind: "sent" }, code: 250, text: "2.0.0 queued" }));
  await world.sendAll();
  await world.activities();
  world.mails.length = 0;
});

const send = (key: string, to: unknown, more: object = {}, headers?: Record<string, string>) =>
  world.call("POST", `${ROOT}/${key}/send`, { to, ...more }, headers);
let people = 0;
const somebody = () => `person-${++people}@example.org`;
const subscribed = async () => {
  const address = somebody();
  await world.call("POST", "/v2/contacts", { channels: { email: { address, subscribeStatus: "subscribed" } } });
  return address;
};

describe("a template that is sent", () => {
  test("is stored before the answer, reaches its contact and the log, with the row and the activity in one transaction", async () => {
    const email = somebody();
    const { status, body } = await send("receipt", { email, name: "Ada" }, { mergeData: { order: "A-1" } });
    expect([status, body.success, body.messagecontacts]).toMatchObject([200, true, [{ accepted: true, email }]]);
    expect(await world.states("receipt", "&state=pending")).toEqual(["pending"]);
    await world.sendAll();
    const [mail] = world.mails;
    const [entry] = body.messagecontacts;
    expect(mail).toMatchObject({ address: email, mcId: entry.mcID, returnPath: "news@example.com" });
    const raw = mail?.raw?.toString() ?? "";
    expect(raw).toContain(`Message-ID: ${messageIdOf(entry.mcID, "example.com")}`);
    expect(raw).toContain("Subject: Hello A-1");
    expect(raw).toContain("Hi Ada");
    expect(raw).toContain("https://t.example.com/t/u/");
    expect(await world.states("receipt", `&cID=${entry.cID}`)).toEqual(["sent"]);
    const [sent] = await world.activities();
    expect(sent).toMatchObject({
      action: "message-sent",
      uid: `sent:${entry.mcID}`,
      properties: {
        mcID: entry.mcID,
        messageKey: "receipt",
        messageType: "automation",
        subject: "Hello {{ order }}",
        tags: ["shop"],
      },
    });
  });

  test("goes to whom it may go: each recipient has a verdict", async () => {
    const [known, unknown, stopped] = [await subscribed(), somebody(), somebody()];
    await world.call("POST", "/v2/suppressions", { channel: "email", address: stopped });
    const { body } = await send("offer", [
      { email: known },
      { email: unknown },
      { email: stopped },
      { cID: "f".repeat(24) },
      { customer_id: `c-${unknown}` },
      { email: "ann at example.com" },
      { email: `"Known" <${known.toUpperCase()}>` },
    ]);
    expect(body.messagecontacts.map(({ accepted, error }: Record<string, unknown>) => [accepted, error])).toEqual([
      [true, undefined],
      [false, "not-subscribed"],
      [false, "suppressed"],
      [false, "not-found"],
      [false, "no-address"],
      [false, "invalid-address"],
      [true, undefined],
    ]);
    const contact = await world.call("GET", `/v2/contacts/${encodeURIComponent(unknown)}`);
    expect(contact.body.channels.email).toMatchObject({ address: unknown, subscribeStatus: "none" });
    await world.sendAll();
    expect(world.mails.map(({ address }) => address)).toEqual([known, known]);
  });

  test("is sent once for its Idempotency-Key, and once more without", async () => {
    const email = somebody();
    const headers = { "idempotency-key": email };
    const first = await send("receipt", { email }, {}, headers);
    const again = await send("receipt", { email }, {}, headers);
    expect(again.body).toEqual(first.body);
    const other = await send("receipt", { email });
    expect(other.body.messagecontacts[0].mcID).toMatch(/:2$/);
    await world.sendAll();
    expect(world.mails).toHaveLength(2);
  });

  test("answers the receipt of the contacts that it wrote, a repeat the same", async () => {
    const headers = { "idempotency-key": "with-a-receipt" };
    const email = somebody();
    const first = await send("receipt", { email, plan: "gold" }, {}, headers);
    const receipt = String(first.headers["headwater-receipt"]);
    expect((await world.call("GET", `/v2/receipts/${receipt}`)).body).toMatchObject({
      state: "applied",
      records: { applied: 1 },
    });
    const contact = await world.call("GET", `/v2/contacts/${encodeURIComponent(email)}?after=${receipt}`);
    expect(contact.body.attributes).toEqual({ plan: "gold" });
    expect((await send("receipt", { email, plan: "gold" }, {}, headers)).headers["headwater-receipt"]).toBe(receipt);
  });

  test("carries attachments, and more than 3 MiB of them are refused", async () => {
    const file = (bytes: number) => ({
      attachments: [
        { filename: "a.txt", contentType: "text/plain", content: Buffer.alloc(bytes, 65).toString("base64"), size: 1 },
      ],
    });
    await send("receipt", { email: somebody() }, file(10));
    await world.sendAll();
    expect(world.mails[0]?.raw?.toString()).toContain("filename=a.txt");
    expect((await send("receipt", { email: somebody() }, file(3 * 1024 * 1024 + 1))).status).toBe(422);
  });

  test("is refused whole where it cannot be sent: unknown, not published, without a transport, without the link, of another account", async () => {
    const code = async (key: string, email = somebody()) => (await send(key, { email })).body.code;
    await world.make("draft", { draftContent: true });
    await world.make("unlinked", { classification: "promotional" }, "<p>Hi</p>");
    await world.call("POST", ROOT, {
      ...{ key: "text", name: "text", channel: "sms", baseAggregation: "daily" },
      message: { content: { "text/plain": "Hi" } },
    });
    const unlinked = await code("unlinked", await subscribed());
    expect([await code("none"), await code("draft"), await code("text"), unlinked]).toEqual([
      "RECORD_NOT_FOUND",
      "TEMPLATE_NOT_PUBLISHED",
      "TRANSPORT_REQUIRED",
      "VALIDATION_ERROR",
    ]);
    const other = await world.otherCall("POST", `${ROOT}/receipt/send`, { to: { email: somebody() } });
    expect([other.status, other.body.code]).toEqual([404, "RECORD_NOT_FOUND"]);
    expect((await world.otherCall("GET", `${ROOT}/receipt/sends`)).status).toBe(404);
    expect((await send("receipt", [])).status).toBe(422);
    expect((await send("receipt", { name: "nobody" })).status).toBe(422);
  });

  test("as a test goes out without an activity, a contact or a cap", async () => {
    const email = somebody();
    const { body } = await world.call("POST", `${ROOT}/draft/senddraft`, { to: { email } });
    const mcID = expect.stringMatching(/:t:0{24}:\d+$/);
    expect(body.messagecontacts).toMatchObject([{ accepted: true, cID: "0".repeat(24), mcID }]);
    await world.sendAll();
    expect(world.mails.map(({ address }) => address)).toEqual([email]);
    expect(await world.activities()).toEqual([]);
    expect(await world.states("draft")).toEqual([]);
    expect((await world.call("GET", `/v2/contacts/${encodeURIComponent(email)}`)).status).toBe(404);
  });
});

describe("a verdict at the intent", () => {
  test("obeys an unsubscribe that came after the call, and says why", async () => {
    const email = await subscribed();
    await send("offer", { email });
    await world.call("PUT", `/v2/contacts/${encodeURIComponent(email)}/unsubscribe/email`);
    await world.sendAll();
    expect(world.mails).toEqual([]);
    expect(await world.activities()).toMatchObject([
      { action: "message-stopped", properties: { reason: "not-subscribed" } },
    ]);
  });

  test("never exceeds a cap, however many senders there are", async () => {
    const email = await subscribed();
    for (let n = 0; n < 5; n++) await send("offer", { email });
    await Promise.all([world.sender(), world.sender(), world.sender()].map((sender) => world.sendAll(sender)));
    expect(world.mails).toHaveLength(2);
    const { body } = await world.call("GET", `${ROOT}/offer/sends?reason=capped&state=skipped`);
    expect(body.data).toHaveLength(3);
  });

  test("holds promotional sends in quiet hours", async () => {
    const email = await subscribed();
    const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
    await world.call("PUT", "/v2/account", { timezone: "UTC", messaging: { quietHours: { from: at(-1), to: at(1) } } });
    const { body } = await send("offer", { email });
    await world.sendAll();
    expect(world.mails).toEqual([]);
    await world.call("PUT", "/v2/account", { messaging: { quietHours: null } });
    await world.setDue();
    await world.sendAll();
    expect(world.mails.map(({ mcId }) => mcId)).toEqual([body.messagecontacts[0].mcID]);
  });

  test("to a contact that was merged is the survivor's, under either cID", async () => {
    const { body } = await send("receipt", [{ email: somebody() }, { email: somebody() }]);
    const [merged, live] = body.messagecontacts;
    const numberOf = "SELECT number FROM contacts WHERE account = $1 AND cid = $2";
    const merge = { text: `UPDATE contacts SET merged_into = (${numberOf}) WHERE account = $1 AND cid = $3` };
    expect(await world.postgres.execute(merge, [world.account.number, live.cID, merged.cID])).toBe(1);
    const of = async (cID: string) =>
      (await world.call("GET", `${ROOT}/receipt/sends?sort_dir=asc&cID=${cID}`)).body.data;
    const sends = await of(live.cID);
    expect(sends).toMatchObject([
      { cID: live.cID, mcID: merged.mcID },
      { cID: live.cID, mcID: live.mcID },
    ]);
    expect(await of(merged.cID)).toEqual(sends);
  });

  test("skips who was erased, and a template that was deleted", async () => {
    const [gone, left] = [somebody(), somebody()];
    await world.make("brief", { classification: "transactional" });
    await send("brief", [{ email: gone }, { email: left }]);
    await world.call("DELETE", `/v2/contacts/${encodeURIComponent(gone)}`);
    const rows = await world.postgres.query<{ state: string; reason: string; address: string | null }>({
      text: "SELECT state, reason, address FROM sends WHERE reason = 'erased'",
    });
    expect(rows).toEqual([{ state: "skipped", reason: "erased", address: null }]);
    await world.call("DELETE", `${ROOT}/brief`);
    await world.sendAll();
    expect(world.mails).toEqual([]);
    expect(await world.activities()).toMatchObject([{ properties: { reason: "template-deleted" } }]);
  });

  test("skips the sends of a deleted template whose key another one has got, and sends those of the other", async () => {
    const [before, after] = [somebody(), somebody()];
    await world.make("reused", { classification: "transactional" });
    await send("reused", { email: before });
    await world.call("DELETE", `${ROOT}/reused`);
    await world.make("reused", { classification: "transactional" });
    const { body } = await send("reused", { email: after });
    await world.sendAll();
    expect(world.mails.map(({ mcId }) => mcId)).toEqual([body.messagecontacts[0].mcID]);
    expect((await world.activities()).map(({ properties }) => properties.reason)).toEqual(
      expect.arrayContaining(["template-deleted"]),
    );
  });
});

describe("an outcome", () => {
  test.each([
    ["a hard bounce", { kind: "hard-bounce" }, ["sent bounced"], ["message-sent", "bounce"]],
    ["a soft bounce", { kind: "soft-bounce", bounce: "full" }, ["sent bounced"], ["message-sent", "bounce"]],
    ["a deferral", { kind: "deferred", slowsDown: false }, ["deferred"], []],
    ["a mistake of ours", { kind: "transport-failure" }, ["deferred transport"], []],
  ] as const)("of an attempt, such as %s, is stored with its meaning", async (_name, outcome, states, actions) => {
    world.answer(() => ({ outcome, code: 450, text: "x".repeat(500) }));
    const { body } = await send("receipt", { email: somebody() });
    await world.sendAll();
    expect(await world.states("receipt", `&cID=${body.messagecontacts[0].cID}`)).toEqual(states);
    expect((await world.activities()).map(({ action }) => action)).toEqual(actions);
  });

  test("without an answer is unknown for ever when promotional, and sent once more under the same Message-ID when transactional", async () => {
    world.answer(() => ({ outcome: { kind: "unknown" } }));
    const [offer, receipt] = [await subscribed(), somebody()];
    await send("offer", { email: offer });
    await send("receipt", { email: receipt });
    for (let n = 0; n < 4; n++) {
      await world.sendAll();
      await world.setDue();
    }
    const to = (email: string) => world.mails.filter(({ address }) => address === email);
    expect([to(offer).length, to(receipt).length]).toEqual([1, 2]);
    expect(new Set(to(receipt).map(({ mcId }) => mcId)).size).toBe(1);
  });
});
