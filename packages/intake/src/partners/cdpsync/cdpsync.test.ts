import { accountSettings, defaultSettings } from "@headwater/contracts";
import { describe, expect, test } from "vitest";
import type { PartnerEndpoint } from "../endpoint.ts";
import { textAt, withoutAbsent } from "../reading.ts";
import { bodyKey } from "./envelope.ts";
import { audienceMembershipChange, audienceSubscription, moduleRegistration } from "./index.ts";

const context = { settings: defaultSettings, accountId: "a".repeat(24), nowMs: 5, bodyHash: "" };
const envelope = { id: "m1", timestamp_ms: 1, account: { account_settings: { apiKey: "hw_key" } } };
const push = (endpoint: PartnerEndpoint, over: object, settings = defaultSettings) =>
  endpoint.map(endpoint.body.parse(withoutAbsent({ type: endpoint.wireType, ...envelope, ...over })), {
    ...context,
    settings,
  });

describe("a change of audiences", () => {
  const email = [{ type: "email", encoding: "raw", value: "ann@x.org" }];
  const audience = (over: object) => ({ audience_id: "18446744073709551615", audience_name: "Loyal", ...over });
  const changes = (audiences: unknown[], settings = defaultSettings) =>
    push(audienceMembershipChange, { user_profiles: [{ user_identities: email, audiences }] }, settings).parts;

  test("adds to the audience's list and takes off it, and to the list that the settings name", () => {
    const list = { externalId: "18446744073709551615", name: "Loyal" };
    const settings = { audience_subscription_settings: { listId: "12" } };
    const parts = changes([
      audience({ action: "ADD" }),
      audience({ action: "delete" }),
      audience({ action: "add", ...settings }),
    ]);
    expect(parts).toMatchObject([
      {
        operation: "addContactsToList",
        body: { identifiers: [{ email: "ann@x.org" }], canBeCreated: false },
        list: { ...list, isMade: true },
        once: "m1/0/0",
      },
      { operation: "removeContactsFromList", list: { ...list, isMade: false }, once: "m1/0/1" },
      { operation: "addContactsToList", body: { listId: 12 }, list: { ...list, isMade: false } },
    ]);
    const allowed = accountSettings.parse({ partners: { cdpsync: { canBeCreated: true } } });
    expect(changes([audience({ action: "add" })], allowed)).toMatchObject([{ body: { canBeCreated: true } }]);
  });

  test("writes and removes attributes", () => {
    const user_attributes = [
      { key: "tier", value: "gold", action: "upsert" },
      { key: "interests", list_value: ["a"], action: "upsert" },
      { key: "old", value: "x", action: "DELETE" },
      { key: "plain", value: 1 },
    ];
    expect(changes([audience({ action: "attribute_update", user_attributes })])).toMatchObject([
      {
        operation: "upsertContact",
        body: { attributes: { tier: "gold", interests: ["a"], old: null, plain: 1 }, canBeUpdated: true },
      },
    ]);
  });

  const update = (user_attributes: unknown) => changes([audience({ action: "attribute_update", user_attributes })]);
  const inShort = (parts: ReturnType<typeof update>) =>
    parts.map((part) => (part.kind === "item" ? part.body : [part.path, part.verdict, part.message]));

  test("with an attribute that is wrong writes the others, and says what is wrong with each", () => {
    const entries = [
      "gold",
      { value: "gold", action: "upsert" },
      { key: " ", value: "gold" },
      { key: {}, value: "gold" },
      { key: "tier", action: "upsert" },
      { key: "tier", value: "gold", action: "foo" },
      { key: "tier", value: null, action: "upsert" },
      { key: "kept", value: "yes", action: "upsert" },
    ];
    const path = "/user_profiles/0/audiences/0/user_attributes";
    const [written, ...others] = inShort(update(entries));
    expect(written).toMatchObject({ attributes: { kept: "yes" } });
    expect(others).toEqual([
      [`${path}/0`, "rejected", "An attribute must be an object."],
      [`${path}/1`, "rejected", "`key` is required."],
      [`${path}/2`, "rejected", "`key` must not be empty."],
      [`${path}/3`, "rejected", "`key` must be a string or a number."],
      [`${path}/4`, "rejected", "`value` is required."],
      [`${path}/5`, "rejected", "`action` must be one of `upsert`, `delete`."],
      [`${path}/6`, "skipped", "The attribute has no value."],
    ]);
    expect(inShort(update("gold"))).toEqual([[path, "rejected", "The attributes of an update must be an array."]]);
    expect(inShort(update([{ key: "a" }]))).toEqual([[`${path}/0`, "rejected", "`value` is required."]]);
    expect(inShort(update([]))).toMatchObject([["/user_profiles/0/audiences/0", "skipped", expect.any(String)]]);
  });

  test("says what is wrong with an audience, and with audiences that are none", () => {
    const path = "/user_profiles/0/audiences";
    expect(inShort(changes(["x", { audience_name: "n", action: "add" }, audience({ action: "explode" })]))).toEqual([
      [`${path}/0`, "rejected", "An audience must be an object."],
      [`${path}/1`, "rejected", "`audience_id` is required."],
      [`${path}/2`, "rejected", "`action` must be one of `add`, `delete`, `attribute_update`."],
    ]);
    const profile = { user_identities: email, audiences: "x" };
    expect(inShort(push(audienceMembershipChange, { user_profiles: [profile] }).parts)).toEqual([
      [path, "rejected", "The audiences of a profile must be an array."],
    ]);
  });

  test("goes on by the identities that are right, and says what is wrong with each other", () => {
    const user_identities = [
      ...email,
      "x",
      { value: "y" },
      { type: "customer", value: true },
      { type: "customer", value: "" },
      null,
      { type: "facebook", value: {} },
    ];
    const profile = { user_identities, audiences: [audience({ action: "add" })] };
    const [added, ...others] = inShort(push(audienceMembershipChange, { user_profiles: [profile] }).parts);
    expect(added).toMatchObject({ identifiers: [{ email: "ann@x.org" }] });
    expect(others).toEqual([
      ["/user_profiles/0/user_identities/1", "rejected", "An identity must be an object."],
      ["/user_profiles/0/user_identities/2", "rejected", "`type` is required."],
      ["/user_profiles/0/user_identities/3", "rejected", "`value` must be a string or a number."],
    ]);
  });

  test("with a profile or an audience that is wrong takes the others", () => {
    const profiles = [
      null,
      { user_identities: [], audiences: [audience({ action: "add" })] },
      { user_identities: email, audiences: [audience({ action: "explode" }), audience({ action: "add" })] },
    ];
    const { parts, answer } = push(audienceMembershipChange, { user_profiles: profiles });
    expect(parts.map(({ kind, path }) => [kind, path])).toEqual([
      ["refused", "/user_profiles/0"],
      ["refused", "/user_profiles/1"],
      ["refused", "/user_profiles/2/audiences/0"],
      ["item", "/user_profiles/2/audiences/1"],
    ]);
    const wanted = {
      type: "audience_membership_change_response",
      id: "m1",
      timestamp_ms: 5,
      suspend_subscription: false,
    };
    expect(answer?.({ listId: undefined })).toEqual(wanted);
  });
});

test.each([
  ["add", "make"],
  ["update", "rename"],
  ["remove", "archive"],
])("a subscription that says %s will %s the list and answers its id", (action, kind) => {
  const { listChange, answer, parts } = push(audienceSubscription, { action, audience_id: 7, audience_name: "Loyal" });
  const once = JSON.stringify(["m1", action, "7", "Loyal"]);
  expect([parts, listChange]).toMatchObject([[], { kind, list: { externalId: "7", name: "Loyal" }, once }]);
  expect(answer?.({ listId: 12 })).toMatchObject({
    type: "audience_subscription_response",
    audience_subscription_settings: { listId: 12 },
  });
});

test("the registration asks for the key as a confidential setting, in both parts, and names what is mapped", () => {
  const answer = push(moduleRegistration, { account: undefined, firehose_version: "2.0" }).answer?.({
    listId: undefined,
  });
  const settings = [{ id: "apiKey", type: "text", required: true, confidential: true }];
  expect(answer).toMatchObject({
    type: "module_registration_response",
    id: "m1",
    firehose_version: "2.0",
    event_processing_registration: {
      account_settings: settings,
      supported_event_types: expect.arrayContaining(["custom_event", "product_action"]),
    },
    audience_processing_registration: { account_settings: settings },
  });
});

test("the key stands in the account's settings, and nowhere else", () => {
  const keyOf = (body: unknown) => (bodyKey.kind === "bodyKey" ? textAt(body, bodyKey.path) : "");
  expect(keyOf({ account: { account_settings: { apiKey: "hw_key" } } })).toBe("hw_key");
  const without = [
    null,
    [],
    {},
    { account: null },
    { account: { account_settings: { apiKey: 7 } } },
    { apiKey: "hw_key" },
  ];
  for (const body of without) expect(keyOf(body)).toBeUndefined();
});
