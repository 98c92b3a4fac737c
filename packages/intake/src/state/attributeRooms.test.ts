import { defaultSettings } from "@headwater/contracts";
import { expect, test } from "vitest";
import { upsertContact } from "../operations/upsertContact/upsertContact.ts";
import { AttributeRooms } from "./attributeRooms.ts";

const limits = { ...defaultSettings.limits, attributesPerAccount: 1 };
const account = { number: 1, id: "a".repeat(24), name: "full", settings: { ...defaultSettings, limits } };

/** Returns why a record with these attributes finds no room in an account that has the attribute `home` alone. */
function refusalOf(attributes: object, canBeUpdated = true) {
  const rooms = new AttributeRooms(new Map([[1, new Set(["home"])]]));
  const record = {
    id: "r:0:0",
    receivedAt: 0,
    contact: { identifiers: { email: "a@x" }, attributes, canBeUpdated },
  };
  return rooms.refuse({ account, operation: upsertContact, record });
}

test("members of a place need no room, at either level", () => {
  expect(refusalOf({ "home.city": "Rome", "home.loc.lat": 4, "home.loc.lon": 5 })).toBeUndefined();
  expect(refusalOf({ "house.loc.lat": 4 })).toMatchObject({ code: "ACCOUNT_ATTRIBUTES_EXCEEDED" });
});

test("attributes that nobody writes need no room", () => {
  expect(refusalOf({ plan: "x" })).toMatchObject({ code: "ACCOUNT_ATTRIBUTES_EXCEEDED" });
  expect(refusalOf({ plan: "x" }, false)).toBeUndefined();
});
