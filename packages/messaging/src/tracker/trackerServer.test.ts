import { createLogger, createMetrics, HeadwaterError, manualClock } from "@headwater/kernel";
import type { FrameAppend } from "@headwater/topics";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { TokenKind, TrackingToken } from "../tracking/trackingToken.ts";
import { createTrackingTokens } from "../tracking/trackingTokens.ts";
import { createEventQueue, type EventQueue } from "./events/eventQueue.ts";
import { HeldClicks } from "./events/heldClicks.ts";
import { createTrackerServer } from "./trackerServer.ts";

const tokens = createTrackingTokens([Buffer.alloc(32, 1)]);
const names = {
  accountId: "65f0c0ffee65f0c0ffee0001",
  cID: "65f0c0ffee65f0c0ffee00cc",
  channel: "email",
  composedAt: 0,
};
const send = { type: "b", account: 3, contact: 9, n: 1, message: "65f0c0ffee65f0c0ffee00aa", names } as const;
const MCID = "65f0c0ffee65f0c0ffee0001:65f0c0ffee65f0c0ffee00aa:b:65f0c0ffee65f0c0ffee00cc:1";
const link = { place: 2, url: "https://shop.example/é?a=1#b", name: "Shop" };
const sealed = (kind: TokenKind, more: Partial<TrackingToken> = {}) => tokens.seal({ kind, ...send, ...more });
const PERSON = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" };
const FORM = { "content-type": "application/x-www-form-urlencoded", ...PERSON };

let appended: FrameAppend[];
let isAway: boolean;
let lines: string[];
let queue: EventQueue;
let clicks: HeldClicks;
let server: ReturnType<typeof createTrackerServer>;
let metrics: ReturnType<typeof createMetrics>;
beforeEach(() => {
  [appended, isAway, lines] = [[], false, []];
  const logger = createLogger({
    name: "tracker",
    level: "debug",
    destination: { write: (line) => void lines.push(line) },
  });
  metrics = createMetrics({ processMetrics: false });
  const clock = manualClock(Date.UTC(2026, 0, 9));
  const producer = {
    append: async (append: FrameAppend) => {
      if (isAway)
        throw new HeadwaterError({ code: "SERVICE_UNAVAILABLE", status: 503, publicMessage: "away", retriable: true });
      appended.push(append);
      return [];
    },
  };
  queue = createEventQueue({ producer, logger, metrics, eventsMax: 6 });
  clicks = new HeldClicks((events) => queue.add(events));
  server = createTrackerServer({ logger, metrics, plainHttp: "loopback", tokens, producer, queue, clicks, clock });
});
afterEach(() => server.stop());

const call = (
  method: "GET" | "HEAD" | "POST",
  path: string,
  payload?: string,
  headers: Record<string, string> = PERSON,
) => server.inject({ method, url: `/t/${path}`, headers, ...(payload !== undefined && { payload }) });
/** Events in the log, in order. */
async function events() {
  clicks.releaseAll();
  await queue.stop();
  return appended.flatMap(({ entries }) => entries.map(({ text }) => JSON.parse(text).event));
}

describe("a click", () => {
  test("is redirected to its target and written with the link's place and name", async () => {
    const { statusCode, headers, body } = await call("GET", `c/${sealed("click", { link })}?utm_id=1`);
    expect([statusCode, headers.location, body]).toEqual([302, "https://shop.example/%C3%A9?a=1#b", ""]);
    expect(await events()).toEqual([
      {
        name: "click",
        time: "2026-01-09T00:00:00.000Z",
        UID: expect.stringMatching(/^click:/),
        properties: { mcID: MCID, channel: "email", linkID: `${MCID}:2`, url: link.url, linkName: "Shop" },
      },
    ]);
    const [append] = appended;
    expect([append?.account, append?.topic]).toEqual([names.accountId, "intake.records"]);
  });

  test("is redirected while the log is away; what does not fit into memory is counted", async () => {
    isAway = true;
    for (let index = 1; index <= 5; index += 1) {
      const token = sealed("click", { link: { ...link, place: 1 } });
      expect((await call("GET", `c/${token}`)).statusCode).toBe(302);
    }
    clicks.releaseAll();
    expect(await metrics.render()).toContain("headwater_tracker_events_lost_total 2");
    isAway = false;
    expect(await events()).toHaveLength(3);
  });

  test("of a test of a message is redirected and not counted", async () => {
    expect((await call("GET", `c/${sealed("click", { link, type: "t" })}`)).statusCode).toBe(302);
    expect(await events()).toEqual([]);
  });

  test("of the hidden link leads nowhere and is kept as a machine's, as are those beside it", async () => {
    await call("GET", `c/${sealed("click", { link })}`);
    expect((await call("GET", `c/${sealed("hidden")}`)).statusCode).toBe(204);
    expect((await call("GET", `c/${sealed("hidden", { type: "t" })}`)).statusCode).toBe(204);
    const device = { robot: true };
    expect(await events()).toMatchObject([
      { device, properties: { robotReason: "hidden-link", url: link.url } },
      { name: "click", device, properties: { mcID: MCID, channel: "email", robotReason: "hidden-link" } },
    ]);
  });
});

describe("a pixel", () => {
  test("is a picture that is not kept, and its open is written without the address it came from", async () => {
    const { statusCode, headers, rawPayload } = await call("GET", `o/${sealed("open")}`);
    expect([statusCode, headers["content-type"], headers["cache-control"]]).toEqual([200, "image/gif", "no-store"]);
    expect(rawPayload.subarray(0, 6).toString()).toBe("GIF89a");
    const [event] = await events();
    expect(event).toMatchObject({ name: "open", properties: { mcID: MCID } });
    expect(JSON.stringify(event)).not.toContain("127.0.0.1");
  });

  test("under HEAD is a machine's", async () => {
    expect((await call("HEAD", `o/${sealed("open")}`)).statusCode).toBe(200);
    expect(await events()).toMatchObject([{ device: { robot: true }, properties: { robotReason: "head" } }]);
  });
});

test("links of a test to an address that nobody has are answered and change nothing", async () => {
  const nobody = { type: "t", contact: 0, names: { ...names, cID: "0".repeat(24) } } as const;
  const page = `u/${sealed("unsubscribe", nobody)}`;
  const answers = [
    await call("GET", page),
    await call("POST", page, "List-Unsubscribe=One-Click", FORM),
    await call("POST", page, "action=undo", FORM),
    await call("GET", `c/${sealed("click", { link, ...nobody })}`),
    await call("GET", `o/${sealed("open", nobody)}`),
  ];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 302, 200]);
  expect(await events()).toEqual([]);
});

describe("the unsubscribe page", () => {
  test("asks, works without scripts, and unsubscribes nobody by GET or HEAD", async () => {
    for (const kind of ["unsubscribe", "preferences"] as const) {
      const { statusCode, headers, body } = await call("GET", `u/${sealed(kind)}`);
      expect([statusCode, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
      expect(body).toContain('<form method="post">');
      expect(body).not.toContain("<script");
      expect(headers["content-security-policy"]).toContain("default-src 'none'");
      await call("HEAD", `u/${sealed(kind)}`);
    }
    expect(appended).toEqual([]);
  });

  test("writes the optout with its reason before it answers, under one UID however often it is posted", async () => {
    const token = sealed("unsubscribe");
    const reason = `too many ${"x".repeat(300)}`;
    for (const payload of [`action=unsubscribe&reason=${reason}`, "List-Unsubscribe=One-Click", ""]) {
      const { statusCode, body } = await call("POST", `u/${token}`, payload, FORM);
      expect([statusCode, body.includes("You are unsubscribed")]).toEqual([200, true]);
    }
    const multipart = { "content-type": "multipart/form-data; boundary=x" };
    const form = '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n';
    expect((await call("POST", `u/${token}`, form, multipart)).statusCode).toBe(200);
    const records = appended.map(({ entries }) => JSON.parse(entries[0]?.text ?? ""));
    const written = records.flatMap(({ event }) => event ?? []);
    const wishes = records.flatMap(({ contact }) => contact.attributes?.channels.email.subscribeStatus ?? []);
    expect(wishes).toEqual(Array(4).fill("unsubscribed"));
    expect(new Set(records.map(({ id }) => id)).size).toBe(8);
    expect(written.map(({ name, UID }) => [name, UID])).toEqual(Array(4).fill(["optout", `optout:email:${MCID}`]));
    expect(written[0].properties.reason).toBe(reason.slice(0, 200));
  });

  test("takes it back by a forced subscribe", async () => {
    const { body } = await call("POST", `u/${sealed("unsubscribe")}`, "action=undo", FORM);
    expect(body).toContain("You are subscribed again");
    expect(JSON.parse(appended[0]?.entries[0]?.text ?? "")).toMatchObject({
      contact: {
        identifiers: { cID: names.cID },
        attributes: { channels: { email: { subscribeStatus: "subscribed" } } },
        forceSubscribe: true,
      },
    });
  });

  test("answers 503 with Retry-After while the log is away", async () => {
    isAway = true;
    const { statusCode, headers } = await call("POST", `u/${sealed("unsubscribe")}`, "", FORM);
    expect([statusCode, headers["retry-after"]]).toEqual([503, "30"]);
  });

  test("takes no form of more than 16 KiB", async () => {
    const { statusCode } = await call("POST", `u/${sealed("unsubscribe")}`, `reason=${"x".repeat(16_384)}`, FORM);
    expect(statusCode).toBe(413);
    expect(appended).toEqual([]);
  });
});

test("a token that was changed, cut or made for another purpose or under another key is not found, and nothing is written", async () => {
  const own = sealed("click", { link });
  const foreign = createTrackingTokens([Buffer.alloc(32, 2)]).seal({ kind: "click", ...send, link });
  const bare = tokens.seal({ kind: "unsubscribe", type: "b", account: 3, contact: 9, n: 1, message: "m" });
  const paths = [
    ...[`c/${own.slice(0, -1)}`, `c/${own.slice(1)}`, `c/A${own}`, `o/${own}`, `u/${own}`, `c/${foreign}`],
    ...[`u/${bare}`, "c/x", "o/%00", `c/${"A".repeat(6_000)}`, `c/${sealed("open")}`],
  ];
  for (const path of paths) {
    const { statusCode, headers, body } = await call("GET", path);
    expect([path.slice(0, 12), statusCode, headers.location]).toEqual([path.slice(0, 12), 404, undefined]);
    expect(body).toContain("This link is not valid.");
  }
  expect((await call("POST", `u/${own}`, "", FORM)).statusCode).toBe(404);
  expect(await events()).toEqual([]);
});

test.each(["%ff", "%zz", "%"])("a token with the byte %s is not found either, in plain text", async (byte) => {
  const token = sealed("click", { link });
  const { statusCode, headers, body } = await call("GET", `c/${token.slice(0, 20)}${byte}${token.slice(21)}`);
  expect([statusCode, headers["content-type"], body]).toEqual([404, "text/plain; charset=utf-8", "Not Found\n"]);
});

test("no token stands in the log", async () => {
  isAway = true;
  const token = sealed("click", { link });
  await call("GET", `c/${token}`);
  await call("POST", `u/${sealed("unsubscribe")}`, "", FORM);
  await events();
  expect(lines.join("\n")).not.toContain(token);
  expect(lines.join("\n")).not.toContain(names.cID);
});
