import { accountSettings, defaultSettings, hashAddress } from "@headwater/contracts";
import { describe, expect, test } from "vitest";
import { withoutAbsent } from "../../reading.ts";
import { eventProcessing } from "./eventProcessing.ts";

const HASH = hashAddress("sha256", "ann@x.org");

const nowMs = Date.UTC(2026, 0, 10);
const context = { settings: defaultSettings, accountId: "a".repeat(24), nowMs, bodyHash: "" };
const at = 1_767_998_830_000;
const AT = "2026-01-09T22:47:10.000Z";
const contact = { identifiers: { email: "ann@x.org" }, canBeCreated: true };

const message = (over: object) => ({
  type: "event_processing_request",
  id: "m1",
  timestamp_ms: at + 1_000,
  sdk_version: "2.1",
  account: { account_id: 1, account_settings: { apiKey: "hw_key" } },
  user_identities: [{ type: "email", encoding: "raw", value: "ann@x.org" }],
  ...over,
});
const push = (over: object, settings = defaultSettings) =>
  eventProcessing.map(eventProcessing.body.parse(withoutAbsent(message(over))), { ...context, settings });
const event = (over: object) => ({ id: "e1", timestamp_ms: at, ...over });
const partsOf = (...events: unknown[]) => push({ events }).parts;

describe("an event", () => {
  test("of a custom kind becomes an activity whose UID is its id", () => {
    const input = { type: "custom_event", name: "browse", attributes: { category: "Shoes" }, session_id: 7 };
    const location = { latitude: 51.5, longitude: "-0.12" };
    expect(partsOf(event({ ...input, id: "9223372036854775807", location }))).toEqual([
      {
        kind: "item",
        path: "/events/0",
        inner: "/contactactivities/0",
        sentAs: {
          "/name": "/name",
          "/time": "/timestamp_ms",
          "/UID": "/id",
          "/properties": "/attributes",
          "/geo/geoLoc": "/location",
        },
        operation: "createContactactivities",
        body: {
          contact,
          contactactivities: [
            {
              name: "browse",
              time: AT,
              UID: "9223372036854775807",
              properties: { category: "Shoes" },
              geo: { geoLoc: { lat: 51.5, lon: -0.12 } },
            },
          ],
        },
        once: "event/9223372036854775807",
      },
    ]);
  });

  test("of a screen is named by screen_name, else by name, and without a time has the message's", () => {
    const [first, second] = partsOf(event({ type: "screen_view", screen_name: "Home", name: "x" }), {
      type: "screen_view",
      name: "Cart",
    });
    expect(first).toMatchObject({ body: { contactactivities: [{ name: "Home", time: AT }] } });
    const time = "2026-01-09T22:47:11.000Z";
    expect(second).toMatchObject({ body: { contactactivities: [{ name: "Cart", time }] }, once: "m1/1" });
  });

  test("an invalid event is refused alone, and one of an unmapped kind is skipped", () => {
    const parts = partsOf(
      null,
      event({ type: "custom_event" }),
      event({ type: "session_start" }),
      event({ type: "brand_new_type", name: "x" }),
      event({ type: "product_action", action: "checkout", products: [] }),
      event({ type: "product_action", action: "purchase", products: [{ id: 1, name: "n" }] }),
      event({ type: "CUSTOM_EVENT", name: "kept" }),
    );
    expect(parts.map((part) => (part.kind === "refused" ? [part.path, part.verdict] : [part.path, "item"]))).toEqual([
      ["/events/0", "rejected"],
      ["/events/1", "rejected"],
      ["/events/2", "skipped"],
      ["/events/3", "skipped"],
      ["/events/4", "skipped"],
      ["/events/5", "rejected"],
      ["/events/6", "item"],
    ]);
  });
});

describe("a profile", () => {
  test("has its attributes and lists written, null standing for absent", () => {
    const [part, ...others] = push({
      user_attributes: { plan: "gold", tag: null },
      user_attribute_lists: { interests: ["a"], none: null },
    }).parts;
    expect(part).toMatchObject({
      operation: "upsertContact",
      body: { ...contact, attributes: { plan: "gold", interests: ["a"] }, canBeUpdated: true },
      once: "m1/attributes",
    });
    expect(others).toEqual([]);
    expect(push({ user_attributes: {}, events: null }).parts).toEqual([]);
  });

  test("changes by events, too: an attribute, or an identity", () => {
    const parts = partsOf(
      event({ type: "user_attribute_change", user_attribute_name: "plan", new: "gold" }),
      event({ type: "user_attribute_change", user_attribute_name: "plan", deleted: true, new: null }),
      event({ type: "user_attribute_change", attributes: { city: "Rome" } }),
      event({ type: "user_identity_change", added: { type: "customer", encoding: "raw", value: 7 } }),
    );
    expect(parts).toMatchObject([
      { body: { attributes: { plan: "gold" } } },
      { body: { attributes: { plan: null } } },
      { body: { attributes: { city: "Rome" } } },
      { operation: "upsertContact", body: { identifiers: { email: "ann@x.org", customer_id: 7 } } },
    ]);
  });

  test("is known by the identities that are mapped, and by hashes of addresses where the account asks for that", () => {
    const identity = (type: string, value: unknown, encoding: string | null = "raw") => ({ type, encoding, value });
    const user_identities = [
      identity("mobile_number", "+44 20 7946 0018"),
      identity("customer", "9223372036854775807", null),
      identity("email", HASH.toUpperCase(), "SHA256"),
      identity("other2", "x"),
      identity("facebook", "f1"),
      null,
    ];
    const settings = accountSettings.parse({
      partners: { cdpsync: { identities: { other2: "loyalty_id" }, hashedIdentities: true } },
    });
    const [part] = push({ user_identities, events: [event({ type: "screen_view", name: "Home" })] }, settings).parts;
    expect(part).toMatchObject({
      body: {
        contact: {
          identifiers: {
            phone: "+44 20 7946 0018",
            customer_id: "9223372036854775807",
            "sha256(email)": HASH,
            loyalty_id: "x",
          },
        },
      },
    });
  });

  test("a profile that is named by a hash alone is rejected, every part of it, in an account that does not ask for it", () => {
    const user_identities = [{ type: "email", encoding: "md5", value: hashAddress("md5", "ann@x.org") }];
    const { parts } = push({ user_identities, user_attributes: { a: "b" }, events: [event({ type: "custom_event" })] });
    expect(parts).toMatchObject([
      { kind: "refused", code: "HASHED_IDENTITIES_OFF", path: "/user_identities" },
      { kind: "refused", code: "HASHED_IDENTITIES_OFF", path: "/events/0" },
    ]);
  });

  test("goes on by its other identities, and the hash that finds nobody here is rejected alone", () => {
    const hashed = { type: "email", encoding: "sha256", value: HASH };
    const user_identities = [{ type: "customer", value: "7" }, hashed];
    const { parts } = push({ user_identities, events: [event({ type: "custom_event", name: "a" })] });
    expect(parts).toMatchObject([
      { kind: "item", body: { contact: { identifiers: { customer_id: "7" } } } },
      { kind: "refused", code: "HASHED_IDENTITIES_OFF", path: "/user_identities/1" },
    ]);
  });

  test.each([
    ["text that is no hash", { type: "email", encoding: "sha256", value: "ann@x.org" }],
    ["a hash of another length", { type: "email", encoding: "sha1", value: HASH }],
    ["a hash of what is no address", { type: "customer", encoding: "sha256", value: HASH }],
    ["an encoding nobody knows", { type: "email", encoding: "rot13", value: "naa" }],
  ])("a profile that is named by %s has its parts refused, with the reason", (_what, identity) => {
    const settings = accountSettings.parse({ partners: { cdpsync: { hashedIdentities: true } } });
    const { parts } = push({ user_identities: [identity], events: [event({ type: "custom_event" })] }, settings);
    expect(parts).toMatchObject([{ kind: "refused", code: "VALIDATION_ERROR", path: "/events/0" }]);
  });

  test("a profile that names nobody has every event of it refused, and the message is answered", () => {
    const nobody = push({
      user_identities: [{ type: "other9", value: "x" }],
      events: [event({ type: "custom_event" })],
    });
    expect(nobody.parts).toMatchObject([{ kind: "refused", verdict: "rejected", path: "/events/0" }]);
    expect(nobody.answer?.({ listId: undefined })).toEqual({
      type: "event_processing_response",
      id: "m1",
      timestamp_ms: nowMs,
      sdk_version: "2.1",
    });
  });

  test("a profile that names nobody has events passed over that stand for nothing here", () => {
    const events = [
      event({ type: "session_start" }),
      event({ type: "product_action", action: "checkout" }),
      event({ type: "screen_view", name: "Home" }),
      null,
    ];
    expect(push({ user_identities: null, events }).parts).toMatchObject([
      { verdict: "skipped", path: "/events/0", message: "The event type session_start is not supported." },
      { verdict: "skipped", path: "/events/1", message: "The action checkout is not supported." },
      { verdict: "rejected", path: "/events/2", message: "No identifier of a contact was given." },
      { verdict: "rejected", path: "/events/3", message: "An event must be an object." },
    ]);
  });

  test("is created only if the account lets it", () => {
    const settings = accountSettings.parse({ partners: { cdpsync: { canBeCreated: false } } });
    const [part] = push({ events: [event({ type: "custom_event", name: "a" })] }, settings).parts;
    expect(part).toMatchObject({ body: { contact: { canBeCreated: false } } });
  });
});
