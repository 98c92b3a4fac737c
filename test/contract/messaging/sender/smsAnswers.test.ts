import { canonicalValue } from "@headwater/contracts";
import { createPendingLookup } from "@headwater/messaging/tracker/preferences/pendingChannel";
import { createHelpAnswers, type HelpAnswer } from "@headwater/messaging/tracker/provider/helpAnswers";
import { createWritersNumbers } from "@headwater/messaging/tracker/provider/writersNumbers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type SenderWorld, senderWorld } from "./senderWorld.ts";

let world: SenderWorld;
let transportId: string;
beforeAll(async () => {
  world = await senderWorld();
  const settings = { url: "http://127.0.0.1:9/sms" };
  const transport = { name: "sms", channel: "sms", type: "http", settings };
  const { body, text } = await world.call("POST", "/v2/transports", transport);
  if (body.id === undefined) throw new Error(text);
  transportId = body.id;
});
afterAll(() => world.close());

const question = (more: Partial<HelpAnswer> = {}): HelpAnswer => ({
  ...{ account: world.account.number, transportId, channel: "sms", to: "+4915112345678" },
  ...{ text: "Costs {{ nothing }} & more", question: "incoming:1" },
  ...more,
});

test("HELP is answered once for each question, as it is written, and leaves no activity", async () => {
  const answer = createHelpAnswers(world.postgres);
  await answer([question(), question()], Date.now());
  await answer([question(), question({ question: "incoming:2", to: "+4915199999999" })], Date.now());
  await world.sendAll();
  const sent = world.mails.map(({ channel, address, content }) => [channel, address, content["text/plain"]]);
  expect(sent.toSorted()).toEqual([
    ["sms", "+4915112345678", "Costs {{ nothing }} & more"],
    ["sms", "+4915199999999", "Costs {{ nothing }} & more"],
  ]);
  expect(await world.activities()).toEqual([]);
});

test("an address is answered four times an hour at most, whatever it asks, and others as often", async () => {
  world.mails.splice(0);
  const answer = createHelpAnswers(world.postgres);
  const [now, to] = [Date.now(), "+4915166666666"];
  const asked = (from: number, more: Partial<HelpAnswer> = {}) =>
    [0, 1, 2].map((position) => question({ to, question: `incoming:often ${from + position}`, ...more }));
  await answer(asked(0), now);
  await answer(asked(3), now);
  await answer(asked(6, { to: "+4915177777777" }), now);
  await world.sendAll();
  expect(world.mails.map(({ address }) => address).toSorted()).toEqual([
    ...Array.from({ length: 4 }, () => to),
    ...Array.from({ length: 3 }, () => "+4915177777777"),
  ]);
  const stored = async () =>
    (
      await world.postgres.query<{ n: number }>(
        { text: "SELECT count(*)::int AS n FROM sends WHERE account = $1 AND address = $2" },
        [world.account.number, to],
      )
    )[0]?.n;
  await answer(asked(9), now + 3_600_000);
  expect(await stored()).toBe(4);
  // An hour has passed: all of them are past.
  await answer(asked(9), now + 3_600_001);
  expect(await stored()).toBe(7);
});

test("an address that is suppressed gets no answer", async () => {
  world.mails.splice(0);
  const to = "+4915155555555";
  const suppression = { channel: "sms", address: to, reason: "manual" };
  expect((await world.call("POST", "/v2/suppressions", suppression)).status).toBe(201);
  await createHelpAnswers(world.postgres)([question({ question: "incoming:3", to })], Date.now());
  await world.sendAll();
  expect(world.mails).toEqual([]);
});

test("a contact is pending until it has confirmed, whatever number it was merged from", async () => {
  const isPending = createPendingLookup(world.postgres);
  const channels = { sms: { address: "+4915112340000", subscribeStatus: "pending" } };
  const { body } = await world.call("POST", "/v2/contacts", { channels });
  const text = "SELECT number FROM contacts WHERE cid = $1";
  const [row] = await world.postgres.query<{ number: number }>({ text }, [body.cID]);
  const names = { accountId: world.account.id, cID: body.cID, channel: "sms", composedAt: 0 };
  const token = {
    ...({ kind: "preferences", type: "a", message: "m", n: 1, account: world.account.number } as const),
    contact: row?.number ?? 0,
    names,
  };
  expect(await isPending(token)).toBe(true);
  expect(await isPending({ ...token, names: { ...names, channel: "email" } })).toBe(false);
  expect(await isPending({ ...token, contact: 999_999 })).toBe(false);
  await world.call("PUT", `/v2/contacts/${body.cID}`, { channels: { sms: { subscribeStatus: "subscribed" } } });
  expect(await isPending(token)).toBe(false);
});

test("a number that a provider writes without + is the contact's own, whichever form the contact is stored by", async () => {
  const nameWriters = createWritersNumbers(world.postgres);
  const bare = { channels: { sms: { address: "4915112349999" } } };
  await world.call("POST", "/v2/contacts", bare);
  const { account } = world;
  const fromOf = async (from: string, channel = "sms", type: "incoming" | "open" = "incoming") => {
    const [event] = await nameWriters([{ type, from, text: "STOP", raw: null }], { account, channel });
    return event?.from;
  };
  expect(await fromOf("4915112340000")).toBe("+4915112340000");
  // It is read as the number of the contact wherever it goes.
  expect(await fromOf("004915112340000")).toBe("004915112340000");
  expect(canonicalValue("phone", "004915112340000")).toBe("+4915112340000");
  expect(await fromOf("4915112349999")).toBe("4915112349999");
  for (const other of ["+4915112340000", "2025550123", "020 7946 0018", "Shop", ""])
    expect(await fromOf(other)).toBe(other);
  expect(await fromOf("4915112340000", "chat")).toBe("4915112340000");
  expect(await fromOf("4915112340000", "sms", "open")).toBe("4915112340000");
});
