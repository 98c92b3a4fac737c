import { type Account, accountSettings } from "@headwater/contracts";
import { createSealer } from "@headwater/kernel";
import { describe, expect, test } from "vitest";
import { showAccount } from "./accountDocument.ts";
import { changedAccount } from "./changedAccount.ts";

const settings = accountSettings.parse({
  timezone: "Europe/Berlin",
  retention: { activities: 30 },
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
    retention: { activities: null },
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

test("a partner's secret may be short, is not shown then, and stays when it is written back", () => {
  const { settings: written } = changedAccount(account, { partners: { listsync: { secrets: ["s", "short"] } } });
  expect(written.partners.listsync.secrets).toEqual(["s", "short"]);
  const document = showAccount({ ...account, settings: written });
  const hidden = { set: true, last4: "" };
  expect(document).toMatchObject({ partners: { listsync: { secrets: [hidden, hidden] } } });
  expect(changedAccount({ ...account, settings: written }, document).settings).toEqual(written);
});

test.each([
  [{ limits: { readPerSecond: 1_000 } }, [["/limits", "not_allowed"]]],
  [{ accountId: "65f0c0ffee65f0c0ffee0002" }, [["/accountId", "not_allowed"]]],
  [{ name: null }, [["/name", "required"]]],
  [{ timezone: "Mars" }, [["/timezone", "bad_value"]]],
  [{ timezone: "+02:00" }, [["/timezone", "bad_value"]]],
  [{ currency: "ZZZ" }, [["/currency", "bad_value"]]],
  [{ identifiers: [] }, [["/identifiers", "bad_value"]]],
  [{ retention: { days: 1 } }, [["/retention/days", "unknown_field"]]],
  [{ colour: 1 }, [["/colour", "unknown_field"]]],
  [{ partners: { listsync: { secrets: [""] } } }, [["/partners/listsync/secrets/0", "out_of_range"]]],
  [{ partners: { listsync: { secrets: "str" } } }, [["/partners/listsync/secrets", "type_mismatch"]]],
  [
    { partners: { listsync: { secrets: [{ set: true, last4: "none" }] } } },
    [["/partners/listsync/secrets/0", "type_mismatch"]],
  ],
  [{ name: "a\u0000b" }, [["/name", "bad_value"]]],
])("%j is refused", (changes, details) => {
  expect(wrong(changes)).toEqual(details);
});

test("a currency of before that is none does not stand in the way of other changes", () => {
  const odd = { ...account, settings: { ...settings, currency: "ZZZ" } };
  expect(changedAccount(odd, { timezone: "UTC" }).settings).toMatchObject({ timezone: "UTC", currency: "ZZZ" });
});

test("a zone is stored by its canonical name", () => {
  expect(changedAccount(account, { timezone: "america/new_york" }).settings.timezone).toBe("America/New_York");
});

test("settings are bounded, for every process holds them", () => {
  const identities = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`type ${at}`, "customer_id"]));
  expect(wrong({ partners: { cdpsync: { identities } } })).toEqual([["", "too_long"]]);
});

describe("secrets of storages and webhooks", () => {
  const sealer = createSealer([Buffer.alloc(32, 1)]);
  const lake = {
    type: "s3",
    aws_bucket: "exports",
    aws_access_key_id: "id",
    aws_secret_access_key: "a very long secret",
  } as const;
  const written = changedAccount(account, { storage: { lake }, webhookSecret: "whsec_c2VjcmV0" }, sealer);
  const stored = { ...account, settings: written.settings };
  const detailsOf = (changes: Record<string, unknown>, input = stored, key: typeof sealer | undefined = sealer) => {
    try {
      changedAccount(input, changes, key);
    } catch (error) {
      return Object(error).details?.map(({ path, code }: { path: string; code: string }) => [path, code]);
    }
    throw new Error("it was taken");
  };

  test("are stored sealed and shown by their last four characters", () => {
    expect(JSON.stringify(written)).not.toContain("very long");
    expect(JSON.stringify(written)).not.toContain("whsec_");
    expect(showAccount(stored)).toMatchObject({
      storage: { lake: { ...lake, aws_secret_access_key: { set: true, last4: "cret" } } },
      webhookSecret: { set: true, last4: "cmV0" },
    });
    const secret = Reflect.get(written.settings.storage.lake ?? {}, "aws_secret_access_key");
    expect(sealer.open(secret.sealed, `${account.id}/storage/lake/aws_secret_access_key`)).toBe("a very long secret");
  });

  test("stay as they are when they are written back as they were read, or not at all", () => {
    expect(changedAccount(stored, showAccount(stored), sealer)).toEqual(written);
    const renamed = changedAccount(stored, { storage: { lake: { aws_bucket: "other" } } }, sealer);
    expect(Object(renamed.settings.storage.lake).aws_secret_access_key).toEqual(
      Object(written.settings.storage.lake).aws_secret_access_key,
    );
  });

  test("go with null, and with an entry of another type", () => {
    expect(changedAccount(stored, { storage: { lake: null }, webhookSecret: null }, sealer).settings).toEqual(settings);
    const sftp = { type: "sftp", server: "files.example", username: "shop", path: "/in" } as const;
    const { storage } = changedAccount(stored, { storage: { lake: sftp } }, sealer).settings;
    expect(storage).toEqual({ lake: sftp });
  });

  test("are refused in any other form, and where the installation has no key", () => {
    const path = "/storage/lake/aws_secret_access_key";
    const sealed = { sealed: sealer.seal("x", "y"), last4: "xxxx" };
    for (const wrongSecret of [sealed, 1, "", { set: true, last4: "none" }]) {
      const changes = { storage: { lake: { ...lake, aws_secret_access_key: wrongSecret } } };
      expect(detailsOf(changes)).toEqual([[path, "bad_value"]]);
    }
    expect(detailsOf({ webhookSecret: "short" })).toEqual([["/webhookSecret", "bad_value"]]);
    const withoutKey = () => changedAccount(account, { storage: { lake } });
    expect(withoutKey).toThrow(
      expect.objectContaining({ details: [expect.objectContaining({ path, code: "not_allowed" })] }),
    );
  });

  test("of storages that there are not, and unknown members, are named", () => {
    expect(detailsOf({ storage: { lake: { type: "ftp" } } })).toEqual([["/storage/lake/type", "type_mismatch"]]);
    expect(detailsOf({ storage: { lake: { aws_buckets: "x" } } })).toEqual([
      ["/storage/lake/aws_buckets", "unknown_field"],
    ]);
  });
});
