import { PREFERENCE_LISTS_MAX } from "@headwater/contracts";
import { createLogger, createMetrics, HeadwaterError, manualClock } from "@headwater/kernel";
import type { FrameAppend } from "@headwater/topics";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { TokenKind, TrackingToken } from "../../tracking/trackingToken.ts";
import { createTrackingTokens } from "../../tracking/trackingTokens.ts";
import { HeldClicks } from "../events/heldClicks.ts";
import type { OfferedList } from "../preferences/offeredLists.ts";
import { createTrackerServer } from "../trackerServer.ts";

const tokens = createTrackingTokens([Buffer.alloc(32, 1)]);
const names = {
  ...{ accountId: "65f0c0ffee65f0c0ffee0001", cID: "65f0c0ffee65f0c0ffee00cc" },
  ...{ channel: "email", composedAt: 0 },
};
const send = { type: "b", account: 3, contact: 9, n: 1, message: "65f0c0ffee65f0c0ffee00aa", names } as const;
const sealed = (kind: TokenKind, more: Partial<TrackingToken> = {}) => tokens.seal({ kind, ...send, ...more });
const away = new HeadwaterError({ code: "SERVICE_UNAVAILABLE", status: 503, publicMessage: "away", retriable: true });

let appended: FrameAppend[];
let isLogAway: boolean;
let isStoreAway: boolean;
let isPending: boolean;
let offered: OfferedList[];
let server: ReturnType<typeof createTrackerServer>;
beforeEach(() => {
  [appended, isLogAway, isStoreAway, isPending] = [[], false, false, false];
  offered = [
    { name: "news", displayName: "News & more" },
    { name: "deals", displayName: "deals" },
    { name: "vip", displayName: "vip" },
  ];
  server = createTrackerServer({
    ...{ tokens, plainHttp: "loopback", clock: manualClock(Date.UTC(2026, 0, 9)) },
    logger: createLogger({ name: "tracker", level: "silent" }),
    metrics: createMetrics({ processMetrics: false }),
    producer: {
      append: async (append) => {
        if (isLogAway) throw away;
        appended.push(append);
        return [];
      },
    },
    queue: { add: () => undefined },
    clicks: new HeldClicks(() => undefined),
    lists: {
      offered: async () => {
        if (isStoreAway) throw away;
        return offered;
      },
      joined: async () => new Set(["news"]),
    },
    isPending: async () => {
      if (isStoreAway) throw away;
      return isPending;
    },
  });
});
afterEach(() => server.stop());

const get = (token: string, method: "GET" | "HEAD" = "GET") => server.inject({ method, url: `/t/u/${token}` });
const post = (token: string, form: string) =>
  server.inject({
    ...{ method: "POST", url: `/t/u/${token}`, payload: form },
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
const written = () => appended.flatMap(({ entries }) => entries.map(({ text }) => JSON.parse(text)));

test("the page offers the channel, a reason, and the lists with those that the contact is on; it changes nothing", async () => {
  for (const kind of ["unsubscribe", "preferences"] as const) {
    const { statusCode, body } = await get(sealed(kind));
    expect(statusCode).toBe(200);
    expect(body.match(/<form method="post">/g)).toHaveLength(2);
    expect(body).toContain('<textarea name="reason"');
    expect(body).toContain('<input type="checkbox" name="list" value="news" checked> News &amp; more</label>');
    expect(body).toContain('<input type="checkbox" name="list" value="deals"> deals</label>');
    expect(body).toContain('<input type="hidden" name="shown" value="news">');
    await get(sealed(kind), "HEAD");
  }
  expect(appended).toEqual([]);
});

test("a choice is written as the contact's own changes of lists, before the answer, and offers to go back", async () => {
  const { statusCode, body } = await post(sealed("preferences"), "action=lists&shown=news&list=deals&list=vip");
  expect(statusCode).toBe(200);
  expect(written()).toMatchObject([
    { listName: "deals", contact: { identifiers: { cID: names.cID } } },
    { listName: "vip" },
    { listName: "news" },
  ]);
  expect(appended.map(({ subject, account, topic }) => [subject, account, topic])).toEqual([
    ["intake.addContactsToList", names.accountId, "intake.records"],
    ["intake.removeContactsFromList", names.accountId, "intake.records"],
  ]);
  expect(new Set(written().map(({ id }) => id)).size).toBe(3);
  expect(written().every((record) => record.canBeCreated === undefined)).toBe(true);
  const undo = [...body.matchAll(/<input type="hidden" name="(\w+)" value="([\w-]+)">/g)].map(([, member, name]) => [
    ...[member, name],
  ]);
  expect(undo).toEqual([
    ...[
      ["shown", "deals"],
      ["shown", "vip"],
      ["list", "news"],
    ],
  ]);
});

test("the way back writes the opposite", async () => {
  await post(sealed("preferences"), "action=lists&shown=deals&list=news");
  expect(written().map(({ listName }) => listName)).toEqual(["news", "deals"]);
});

test("a choice that changes nothing writes nothing, and one that leaves all lists says so", async () => {
  expect((await post(sealed("preferences"), "action=lists&shown=news&list=news")).statusCode).toBe(200);
  expect(appended).toEqual([]);
  const { body } = await post(sealed("preferences"), "action=lists&shown=news");
  expect(body).toContain("You are on none of these lists.");
  expect(written().map(({ listName }) => listName)).toEqual(["news"]);
});

test.each(["list=inner", "shown=inner", "list=news&list=", "list=NEWS", "list=__proto__"])(
  "a list that is not offered (%s) is refused, and nothing is written",
  async (form) => {
    expect((await post(sealed("preferences"), `action=lists&${form}&list=deals`)).statusCode).toBe(400);
    expect(appended).toEqual([]);
  },
);

test("with the log away a choice is 503 with Retry-After", async () => {
  isLogAway = true;
  const { statusCode, headers } = await post(sealed("preferences"), "action=lists&list=deals");
  expect([statusCode, headers["retry-after"]]).toEqual([503, "30"]);
});

test("with the store away the page offers the channel, which can be left, and a choice of lists is 503", async () => {
  isStoreAway = true;
  const { statusCode, body } = await get(sealed("preferences"));
  expect([statusCode, body.includes("checkbox"), body.includes('value="unsubscribe"')]).toEqual([200, false, true]);
  expect((await post(sealed("preferences"), "List-Unsubscribe=One-Click")).statusCode).toBe(200);
  expect(appended).toHaveLength(2);
  expect((await post(sealed("preferences"), "action=lists&list=deals")).statusCode).toBe(503);
});

test("a token that was changed chooses nothing, and that of a test writes nothing", async () => {
  const token = sealed("preferences");
  expect((await post(`${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`, "action=lists")).statusCode).toBe(404);
  expect((await post(sealed("view"), "action=lists&list=deals")).statusCode).toBe(404);
  expect((await post(sealed("preferences", { type: "t" }), "action=lists&list=deals")).statusCode).toBe(200);
  expect(appended).toEqual([]);
});

test("as many lists as an account may offer, with the longest names, can be chosen", async () => {
  offered = Array.from({ length: PREFERENCE_LISTS_MAX }, (_, at) => {
    const name = `${at}`.padEnd(128, "x");
    return { name, displayName: name };
  });
  const all = offered.map(({ name }) => `list=${name}&shown=${name}`).join("&");
  expect((await post(sealed("preferences"), `action=lists&${all}`)).statusCode).toBe(200);
});

test("whoever asked for a channel confirms it by the link, and nobody else is asked", async () => {
  expect((await get(sealed("preferences"))).body).not.toContain("Confirm");
  isPending = true;
  const { body } = await get(sealed("preferences"));
  expect(body).toContain("Please confirm");
  expect(body).toContain('<button name="action" value="confirm">');
  expect(body).toContain('<button name="action" value="unsubscribe">');
  expect(appended).toEqual([]);
  const confirmed = await post(sealed("preferences"), "action=confirm");
  expect([confirmed.statusCode, confirmed.body.includes("You are subscribed")]).toEqual([200, true]);
  const records = appended.flatMap(({ entries }) => entries.map(({ text }) => JSON.parse(text)));
  expect(records.map(({ contact }) => contact.attributes.channels)).toEqual([
    { email: { subscribeStatus: "subscribed" } },
  ]);
  isStoreAway = true;
  expect((await get(sealed("preferences"))).body).toContain("Unsubscribe");
});

test("the page of a test message says that it is one and that nothing was changed, whatever is asked", async () => {
  const token = sealed("unsubscribe", { type: "t" });
  expect((await get(token)).body).toContain("This is a test message");
  for (const form of ["List-Unsubscribe=One-Click", "action=undo", "action=confirm", "action=lists&list=deals"]) {
    const { statusCode, body } = await post(token, form);
    expect([statusCode, body]).toEqual([200, expect.stringContaining("Nothing was changed.")]);
    expect(body).not.toContain("You are");
  }
  expect(appended).toEqual([]);
  expect((await get(sealed("unsubscribe"))).body).not.toContain("test message");
});
