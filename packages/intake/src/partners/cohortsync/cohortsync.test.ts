import { accountSettings, defaultSettings, hashAddress } from "@headwater/contracts";
import { describe, expect, test } from "vitest";
import type { MapContext } from "../endpoint.ts";
import { withoutAbsent } from "../reading.ts";
import { addContactsToList, removeContactsFromList } from "./index.ts";

const context: MapContext = { settings: defaultSettings, accountId: "a".repeat(24), nowMs: 0, bodyHash: "" };
const contextWith = (cohortsync: object): MapContext => ({
  ...context,
  settings: accountSettings.parse({ partners: { cohortsync } }),
});

function mapped(pushed: object, endpoint = addContactsToList, at = context) {
  return endpoint.map(endpoint.body.parse(withoutAbsent(pushed)), at).parts;
}
const cohort = (contacts: unknown[]) => ({ cohortId: "c1", cohortName: "High Value Users", contacts });

const HASH = hashAddress("sha256", "ann@x.org");
const finding = accountSettings.parse({ partners: { cdpsync: { hashedIdentities: true } } });

describe("a cohort's contacts named by hashes", () => {
  const contacts = [{ email_sha256: HASH.toUpperCase() }, { email: { encoding: "sha256", value: HASH } }];

  test("find where the account asks for it, whichever way they say so", () => {
    const identifiers = [{ "sha256(email)": HASH }, { "sha256(email)": HASH }];
    expect(mapped(cohort(contacts), addContactsToList, { ...context, settings: finding })).toMatchObject([
      { kind: "item", body: { identifiers } },
    ]);
  });

  test("are rejected alone where it does not", () => {
    const [item, ...refused] = mapped(cohort([...contacts, { email: "bob@x.org" }]));
    expect(item).toMatchObject({ kind: "item", body: { identifiers: [{ email: "bob@x.org" }] } });
    expect(refused).toMatchObject([
      { code: "HASHED_IDENTITIES_OFF", path: "/contacts/0", part: contacts[0] },
      { code: "HASHED_IDENTITIES_OFF", path: "/contacts/1", part: contacts[1] },
    ]);
  });

  test("stay identifiers of the account that has one of that very name", () => {
    const own = [...defaultSettings.identifiers, { name: "email_sha256", kind: "secondary", format: "string" }];
    const settings = accountSettings.parse({ identifiers: own });
    expect(mapped(cohort([{ email_sha256: "ab" }]), addContactsToList, { ...context, settings })).toMatchObject([
      { body: { identifiers: [{ email_sha256: "ab" }] } },
    ]);
  });
});

describe("a cohort's contacts", () => {
  test("become one body of the list operation, and no contact may be created unless the account says so", () => {
    const list = { externalId: "c1", name: "High Value Users", isMade: true };
    const identifiers = [{ email: "a@x.org" }, { email: "b@x.org" }];
    const path = "/contacts";
    expect(mapped(cohort(identifiers))).toEqual([
      { kind: "item", path, operation: "addContactsToList", body: { identifiers, canBeCreated: false }, list },
    ]);
    expect(mapped(cohort(identifiers), addContactsToList, contextWith({ canBeCreated: true }))).toMatchObject([
      { body: { canBeCreated: true } },
    ]);
    expect(mapped(cohort(identifiers), removeContactsFromList)).toEqual([
      {
        kind: "item",
        path,
        operation: "removeContactsFromList",
        body: { identifiers },
        list: { ...list, isMade: false },
      },
    ]);
  });

  test("are known by the key the setting names, else by the account's names, else by the one key they have", () => {
    const contacts = [{ email: "a@x.org", customer_id: 7 }, { customer_id: 7, plan: "gold" }, { user_id: "u1" }];
    const wanted = [{ email: "a@x.org" }, { customer_id: 7 }, { user_id: "u1" }];
    expect(mapped(cohort(contacts))).toMatchObject([{ body: { identifiers: wanted } }]);
    const at = contextWith({ identifier: "customer_id" });
    const byId = [{ customer_id: 7 }, { customer_id: 7 }, { customer_id: "u1" }];
    expect(mapped(cohort(contacts), addContactsToList, at)).toMatchObject([{ body: { identifiers: byId } }]);
  });

  test("are refused alone when they name nobody, with the place and the part as it was sent", () => {
    const bad = [null, "ann", {}, { email: "  " }, { email: ["a@x.org"] }, { plan: "gold", city: "Rome" }];
    const [item, ...refused] = mapped(cohort([...bad, { email: "ok@x.org" }]));
    expect(item).toMatchObject({ kind: "item", body: { identifiers: [{ email: "ok@x.org" }] } });
    expect(refused).toMatchObject(
      bad.map((part, index) => ({ kind: "refused", verdict: "rejected", path: `/contacts/${index}`, part })),
    );
    expect(mapped(cohort([{ email: "nul\u0000@x.org" }]))).toMatchObject([{ kind: "refused", path: "/contacts/0" }]);
  });

  test("come in bodies of as many as one may have", () => {
    const contacts = Array.from({ length: 2_300 }, (_, index) => ({ email: `u${index}@x.org` }));
    const sizes = mapped(cohort(contacts)).map((part) =>
      part.kind === "item" && "identifiers" in part.body && Array.isArray(part.body.identifiers)
        ? part.body.identifiers.length
        : 0,
    );
    expect(sizes).toEqual([1_000, 1_000, 300]);
  });
});

test("a push of no contacts is right, and does nothing: not even its list is made", () => {
  expect(mapped(cohort([]))).toEqual([]);
  expect(mapped(cohort([]), removeContactsFromList)).toEqual([]);
});

test.each([
  ["no contacts", { cohortId: "c", cohortName: "n" }],
  ["null contacts, which stand for none", { cohortId: "c", cohortName: "n", contacts: null }],
  ["no id", { cohortName: "n", contacts: [{ email: "a@x.org" }] }],
  ["a null name", { cohortId: "c", cohortName: null, contacts: [{ email: "a@x.org" }] }],
])("a push with %s is refused", (_what, pushed) => {
  expect(addContactsToList.body.safeParse(withoutAbsent(pushed)).success).toBe(false);
});
