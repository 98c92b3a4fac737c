import { defaultSettings } from "@headwater/contracts";
import { describe, expect, it } from "vitest";
import { type Caller, mayUse, missingRight } from "./caller.ts";

const account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
const key = (...scopes: string[]): Caller => ({ kind: "key", id: "k", name: "backend", account, scopes });
const person = (...scopes: string[]): Caller => ({ ...key(...scopes), kind: "person", name: "Ada" });
const route = { operationId: "deleteContact", scope: "contacts:write", personScope: "erasures:write" };

describe("a caller", () => {
  it("may use what its scopes cover, and any route without a scope", () => {
    expect(mayUse(key("read"), "contacts:read")).toBe(true);
    expect(mayUse(key("read"), "contacts:write")).toBe(false);
    expect(mayUse(key(), undefined)).toBe(true);
  });

  it("never writes people and their rights with a key, whatever its scopes say", () => {
    for (const scope of ["people:write", "invitations:write", "oauthclients:write"]) {
      expect([scope, mayUse(key("admin", scope), scope), mayUse(person("admin"), scope)]).toEqual([scope, false, true]);
    }
    expect(mayUse(key("admin"), "people:read")).toBe(true);
  });

  it("lacks the first scope of a route that it does not have; people may need one more than keys", () => {
    expect(missingRight(key("read"), route)).toBe("contacts:write");
    expect(missingRight(key("write"), route)).toBeUndefined();
    expect(missingRight(person("write"), route)).toBe("erasures:write");
    expect(missingRight(person("write", "admin"), route)).toBeUndefined();
    expect(missingRight(key("write"), { ...route, alsoScope: "orders:read" })).toBe("orders:read");
  });

  it("with a list of operations may call those alone", () => {
    const limited = { ...key("read", "write"), operations: ["getContact"] };
    expect(missingRight(limited, { operationId: "getContact", scope: "contacts:read" })).toBeUndefined();
    expect(missingRight(limited, { operationId: "listContacts", scope: "contacts:read" })).toBe("listContacts");
  });
});
