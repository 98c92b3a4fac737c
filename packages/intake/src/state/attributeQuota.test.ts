import { defaultSettings } from "@headwater/contracts";
import { expect, test } from "vitest";
import { upsertContact } from "../operations/upsertContact/upsertContact.ts";
import { AttributeQuota } from "./attributeQuota.ts";

const limits = { ...defaultSettings.limits, attributesPerAccount: 1 };
const account = { number: 1, id: "a".repeat(24), name: "full", settings: { ...defaultSettings, limits } };

/** Returns why a record with these attributes is refused by an account of one attribute that has `home` already. */
function refusalOf(attributes: object, canBeUpdated = true) {
  const quota = new AttributeQuota(new Map([[1, new Set(["home"])]]));
  const record = {
    id: "r:0:0",
    receivedAt: 0,
    contact: { identifiers: { email: "a@x" }, attributes, canBeUpdated },
  };
  return quota.refuse({ account, operation: upsertContact, record });
}

test("members of a geo object are not counted, at either level", () => {
  expect(refusalOf({ "home.city": "Rome", "home.loc.lat": 4, "home.loc.lon": 5 })).toBeUndefined();
  expect(refusalOf({ "house.loc.lat": 4 })).toMatchObject({ code: "ACCOUNT_ATTRIBUTES_EXCEEDED" });
});

test("attributes that nobody writes are not counted", () => {
  expect(refusalOf({ plan: "x" })).toMatchObject({ code: "ACCOUNT_ATTRIBUTES_EXCEEDED" });
  expect(refusalOf({ plan: "x" }, false)).toBeUndefined();
});
