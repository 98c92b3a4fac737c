import { type Account, accountSettings } from "@headwater/contracts";
import { expect, test } from "vitest";
import { showAccount } from "./accountDocument.ts";
import { changedAccount } from "./changedAccount.ts";

const settings = accountSettings.parse({
  timezone: "Europe/Berlin",
  retention: { activitiesDays: 30 },
  partners: { listsync: { secrets: ["first secret", "other secret"], identifier: "phone" } },
});
const account: Account = { number: 1, id: "65f0c0ffee65f0c0ffee0001", name: "shop", settings };
const before = { name: "shop", settings };
const wrong = (changes: Record<string, unknown>) => {
  try {
    changedAccount(account, changes);
  } catch (error) {
    return Object(error).details?.map(({ path, code }: { path: string; code: string }) => [path, code]);
  }
  throw new Error("it was taken");
};

test("what is absent stays, null is the default, objects go into one another", () => {
  expect(changedAccount(account, {})).toEqual(before);
  const changed = changedAccount(account, {
    name: " Shop ",
    timezone: null,
    retention: { activitiesDays: null },
    partners: { listsync: { canBeCreated: true, identifier: null } },
  });
  const listsync = { secrets: ["first secret", "other secret"], canBeCreated: true, ageSecondsMax: 86_400 };
  expect(changed).toEqual({
    name: "Shop",
    settings: { ...settings, timezone: "UTC", retention: {}, partners: { ...settings.partners, listsync } },
  });
});

test("the document can be written back as it was read, secrets too", () => {
  expect(changedAccount(account, showAccount(account))).toEqual(before);
  const oneNew = [{ set: true, last4: "cret" }, "a third secret"];
  const { partners } = changedAccount(account, { partners: { listsync: { secrets: oneNew } } }).settings;
  expect(partners.listsync.secrets).toEqual(["first secret", "a third secret"]);
});

test.each([
  [{ limits: { readPerSecond: 1_000 } }, [["/limits", "not_allowed"]]],
  [{ accountId: "65f0c0ffee65f0c0ffee0002" }, [["/accountId", "not_allowed"]]],
  [{ name: null }, [["/name", "required"]]],
  [{ timezone: "Mars" }, [["/timezone", "bad_value"]]],
  [{ identifiers: [] }, [["/identifiers", "bad_value"]]],
  [{ retention: { days: 1 } }, [["/retention/days", "unknown_field"]]],
  [{ colour: 1 }, [["/colour", "unknown_field"]]],
  [{ partners: { listsync: { secrets: ["short"] } } }, [["/partners/listsync/secrets/0", "out_of_range"]]],
  [
    { partners: { listsync: { secrets: [{ set: true, last4: "none" }] } } },
    [["/partners/listsync/secrets/0", "type_mismatch"]],
  ],
  [{ name: "a\u0000b" }, [["/name", "bad_value"]]],
])("%j is refused", (changes, details) => {
  expect(wrong(changes)).toEqual(details);
});

test("settings are bounded, for every process holds them", () => {
  const identities = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`type ${at}`, "customer_id"]));
  expect(wrong({ partners: { cdpsync: { identities } } })).toEqual([["", "too_long"]]);
});
