import { type Account, accountSettings, defaultSettings, eventsUrlContext } from "@headwater/contracts";
import { createLogger, createMetrics, createSealer, HeadwaterError, manualClock } from "@headwater/kernel";
import type { FrameAppend } from "@headwater/topics";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTrackingTokens } from "../../tracking/trackingTokens.ts";
import { HeldClicks } from "../events/heldClicks.ts";
import { createIncomingReader } from "../incoming/createIncomingReader.ts";
import { createTrackerServer } from "../trackerServer.ts";
import type { HelpAnswer } from "./helpAnswers.ts";
import { POSTED_BYTES_MAX } from "./postedBody.ts";
import type { ReportingTransport } from "./providerRoute.ts";

const ACCOUNT = "65f0c0ffee65f0c0ffee0001";
const TRANSPORT = "65f0c0ffee65f0c0ffee00c1";
const MCID = `${ACCOUNT}:65f0c0ffee65f0c0ffee00aa:b:65f0c0ffee65f0c0ffee00cc:1`;
const sealer = createSealer([Buffer.alloc(32, 1)]);
const secret = sealer.tokenOf(eventsUrlContext(TRANSPORT));
const account: Account = {
  ...{ number: 3, id: ACCOUNT, name: "shop" },
  settings: accountSettings.parse({
    ...defaultSettings,
    messaging: { smsKeywords: { helpText: "Write to help@example.org" } },
  }),
};
const mapping = {
  list: "events",
  map: {
    ...{ type: "event", mcID: "mcID", at: "at", id: "id", code: "code", text: "text", url: "url", from: "from" },
    ...{ bounceType: "bounceType", reason: "reason" },
  },
  types: { bounced: "bounce", spam: "complaint", reply: "incoming" },
};

const reader = createIncomingReader();
afterAll(() => reader.close());

let appended: FrameAppend[];
let isAway: boolean;
let found: ReportingTransport | undefined;
let checks: number;
let answered: HelpAnswer[];
let lines: string[];
let server: ReturnType<typeof createTrackerServer>;
const withEvents = (events?: object, type: "http" | "smtp" = "http", channel = "sms"): ReportingTransport => ({
  account,
  transport: { id: TRANSPORT, channel, type, settings: JSON.stringify({ url: "https://sms.example.com", events }) },
});
beforeEach(() => {
  [appended, answered, isAway, checks, lines, found] = [[], [], false, 0, [], withEvents(mapping)];
  const producer = {
    append: async (append: FrameAppend) => {
      if (isAway)
        throw new HeadwaterError({ code: "SERVICE_UNAVAILABLE", status: 503, publicMessage: "away", retriable: true });
      appended.push(append);
      return [];
    },
  };
  const logger = createLogger({ name: "t", level: "debug", destination: { write: (line) => void lines.push(line) } });
  server = createTrackerServer({
    ...{ logger, producer, plainHttp: "loopback", metrics: createMetrics({ processMetrics: false }) },
    tokens: createTrackingTokens([Buffer.alloc(32, 1)]),
    clock: manualClock(Date.UTC(2026, 0, 9)),
    queue: { add: () => undefined },
    clicks: new HeldClicks(() => undefined),
    provider: {
      sealer,
      findTransport: async () => {
        checks += 1;
        return found;
      },
      reader,
      answerHelp: async (answers) => void answered.push(...answers),
      nameWriters: async (events) => events,
    },
  });
});
afterEach(() => server.stop());

const post = (payload: string | object, path = `${TRANSPORT}/${secret}`, type = "application/json") =>
  server.inject({
    ...{ method: "POST", url: `/t/in/${path}`, headers: { "content-type": type } },
    payload: typeof payload === "string" ? payload : JSON.stringify(payload),
  });
const records = () => appended.flatMap(({ entries }) => entries.map(({ text }) => JSON.parse(text)));
const events = () => records().flatMap(({ event }) => event ?? []);
const statuses = () => records().flatMap(({ contact }) => contact.attributes?.channels.sms.subscribeStatus ?? []);

describe("events of a provider", () => {
  test("become activities of the sends that they name", async () => {
    const body = {
      events: [
        { event: "bounced", mcID: MCID, code: 550, text: "gone\r\n", at: "2026-01-08T10:00:00Z" },
        { event: "bounced", mcID: MCID, bounceType: "Transient", at: 1_767_866_400 },
        { event: "spam", mcID: MCID, at: 1_767_866_400_000 },
        { event: "click", mcID: MCID, id: "c1", url: "https://shop.example/a", at: "nonsense" },
        { event: "open", mcID: MCID, id: "o1", at: "1969-12-31T23:59:59Z" },
        { event: "delivered", mcID: MCID },
      ],
    };
    const { statusCode, body: answer } = await post(body);
    expect([statusCode, JSON.parse(answer)]).toEqual([200, { accepted: 5 }]);
    expect(events()).toMatchObject([
      { name: "bounce", UID: `bounce:${MCID}`, time: "2026-01-08T10:00:00.000Z" },
      { name: "bounce", UID: `bounce:${MCID}`, time: "2026-01-08T10:00:00.000Z" },
      { name: "complaint", UID: `complaint:${MCID}`, time: "2026-01-08T10:00:00.000Z" },
      { name: "click", time: "2026-01-09T00:00:00.000Z", properties: { url: "https://shop.example/a" } },
      { name: "open", time: "2026-01-09T00:00:00.000Z" },
    ]);
    expect(events()[0].properties).toEqual({ mcID: MCID, channel: "sms", bounceType: "hard", code: 550, text: "gone" });
    expect(events()[1].properties.bounceType).toBe("soft");
    expect(appended[0]).toMatchObject({ account: ACCOUNT, topic: "intake.records" });
  });

  test("keep the provider's code, a number or a word", async () => {
    const codes = ["550", "30003", 21610, "5.1.1", "007", "", null];
    await post({ events: codes.map((code, index) => ({ event: "bounced", mcID: MCID, code, id: `code${index}` })) });
    const stored = [550, 30003, 21610, "5.1.1", "007", undefined, undefined];
    expect(events().map(({ properties }) => properties.code)).toEqual(stored);
  });

  test("have one UID when they come again", async () => {
    for (const id of ["e1", "e1", "e2", undefined, undefined]) {
      await post({ events: [{ event: "open", mcID: MCID, id, at: 1_767_866_400 }] });
    }
    const uids = events().map(({ UID }) => UID);
    expect([uids[0] === uids[1], uids[3] === uids[4], new Set(uids).size]).toEqual([true, true, 3]);
  });

  test("of another account, of a test, or about nobody change nothing", async () => {
    const foreign = MCID.replace(ACCOUNT, "65f0c0ffee65f0c0ffee0002");
    const mcIDs = [foreign, MCID.replace(":b:", ":t:"), "x", "", 7, null, {}, `${ACCOUNT}:m:b::1`];
    const { body } = await post({ events: mcIDs.map((mcID) => ({ event: "bounced", mcID })) });
    expect([JSON.parse(body), appended]).toEqual([{ accepted: 0 }, []]);
  });

  test("called optout unsubscribe as every other report does", async () => {
    await post({ events: [{ event: "optout", mcID: MCID, reason: "enough" }] });
    expect(statuses()).toEqual(["unsubscribed"]);
    expect(events()).toMatchObject([{ name: "optout", UID: `optout:sms:${MCID}`, properties: { reason: "enough" } }]);
  });

  test("are refused with 503 while the log or the store is away", async () => {
    isAway = true;
    const { statusCode, headers } = await post({ events: [{ event: "open", mcID: MCID }] });
    expect([statusCode, headers["retry-after"]]).toEqual([503, "30"]);
  });
});

describe("a message that a person wrote", () => {
  const write = async (text: string, from = "+4915112345678") => {
    const form = new URLSearchParams({ From: from, Body: text, kind: "reply" }).toString();
    found = withEvents({ map: { type: "kind", from: "From", text: "Body" }, types: { reply: "incoming" } });
    return JSON.parse((await post(form, undefined, "application/x-www-form-urlencoded")).body);
  };

  test.each(["STOP", " stop please", "Unsubscribe.", "QUIT"])("saying %s unsubscribes its sender", async (text) => {
    expect(await write(text)).toEqual({ accepted: 1 });
    expect(statuses()).toEqual(["unsubscribed"]);
    expect(records()[0].contact.identifiers).toEqual({ phone: "+4915112345678" });
    expect(events()).toMatchObject([{ name: "optout", properties: { channel: "sms" } }]);
  });

  test("saying START is its own forced subscribe, which confirms a pending one as well", async () => {
    await write("Start");
    expect(statuses()).toEqual(["subscribed"]);
    expect(records()[0].contact.forceSubscribe).toBe(true);
  });

  test("saying HELP gets the answer of the account, by the transport that brought the question", async () => {
    expect(await write("help")).toEqual({ accepted: 0 });
    const answer = { to: "+4915112345678", text: "Write to help@example.org", channel: "sms", transportId: TRANSPORT };
    expect(answered).toEqual([{ account: 3, ...answer, question: expect.stringMatching(/^incoming:/) }]);
    expect(appended).toEqual([]);
  });

  test("saying anything else, or nothing, changes nothing", async () => {
    for (const text of ["I will stop by", "", "…", "stopped"]) expect(await write(text)).toEqual({ accepted: 0 });
    expect(await write("STOP", "nobody")).toEqual({ accepted: 0 });
    expect(appended).toEqual([]);
  });
});

describe("a stranger", () => {
  test.each([
    `${TRANSPORT}/${secret.slice(1)}`,
    `${TRANSPORT}/${secret}A`,
    `${TRANSPORT}/${secret.replace(/^./, (one) => (one === "A" ? "B" : "A"))}`,
    `65f0c0ffee65f0c0ffee00c2/${secret}`,
    `${TRANSPORT}/x`,
    `${"a".repeat(100)}/${secret}`,
  ])("with %s gets 404, and no store is asked", async (path) => {
    const { statusCode, headers, body } = await post("x".repeat(400_000), path);
    expect([statusCode, headers["content-type"], body]).toEqual([404, "text/plain; charset=utf-8", "Not found.\n"]);
    expect(checks).toBe(0);
  });

  test("with the secret of a transport that was deleted gets 404, without a mapping 422", async () => {
    found = undefined;
    expect((await post({})).statusCode).toBe(404);
    found = withEvents();
    expect((await post({})).statusCode).toBe(422);
    found = withEvents(undefined, "smtp", "email");
    expect((await post({})).statusCode).toBe(422);
  });
});

describe("a hostile body", () => {
  const deep = `${'{"events":'.repeat(70)}1${"}".repeat(70)}`;
  test.each([
    ["no JSON", "{", 400],
    ["nothing", "", 400],
    ["gzip", "\u001f\u008b\u0008", 400],
    ["70 levels", deep, 400],
    ["200,000 levels", "[".repeat(200_000) + "]".repeat(200_000), 400],
    ["1,001 events", JSON.stringify({ events: Array(1_001).fill({ event: "open" }) }), 413],
    ["too many bytes", JSON.stringify({ events: "x".repeat(POSTED_BYTES_MAX) }), 413],
    ["__proto__", '{"__proto__": {"events": [{"event": "open"}]}, "events": [{"__proto__": {"event": "open"}}]}', 200],
  ])("of %s gets its answer", async (_name, body, status) => {
    const { statusCode, headers } = await post(body);
    expect(statusCode).toBe(status);
    if (status !== 200) expect(headers["content-type"]).toMatch(/^text\/plain/);
    expect(appended).toEqual([]);
  });

  test("at the bounds is taken", async () => {
    const full = { events: Array(1_000).fill({ event: "open", mcID: MCID, id: "1" }) };
    expect((await post(full)).statusCode).toBe(200);
    expect(events()).toHaveLength(1_000);
    const pad = POSTED_BYTES_MAX - JSON.stringify({ events: [], pad: "" }).length;
    expect((await post({ events: [], pad: "x".repeat(pad) })).statusCode).toBe(200);
  });
});

test("no secret and no address stands in the log, and errors of the server are no JSON", async () => {
  await post({ events: [{ event: "bounced", mcID: MCID }] });
  const { headers, body } = await server.inject({ method: "DELETE", url: `/t/in/${TRANSPORT}/${secret}` });
  expect([headers["content-type"], body]).toEqual(["text/plain; charset=utf-8", "Method Not Allowed\n"]);
  expect(lines.join("\n")).not.toContain(secret);
});
