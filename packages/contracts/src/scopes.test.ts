import { describe, expect, it } from "vitest";
import { classOfSegment, coversScope, isReservedForPeople, isScope } from "./scopes.ts";

describe("scopes", () => {
  it("broad ones cover narrow ones of ordinary resources, and never the other way", () => {
    expect(coversScope(["read"], "orders:read")).toBe(true);
    expect(coversScope(["orders:read"], "orders:read")).toBe(true);
    for (const wanted of ["read", "orders:write", "contacts:read", "intake"]) {
      expect([wanted, coversScope(["orders:read"], wanted)]).toEqual([wanted, false]);
    }
    expect(coversScope(["read", "write", "admin"], "intake")).toBe(false);
    expect(coversScope(["read", "write", "intake"], "message-events")).toBe(false);
  });

  it.each([
    ...[
      "apikeys:read",
      "apikeys:write",
      "auditlog:read",
      "accountmonitorexport:read",
      "people:read",
      "oauthclients:read",
    ],
    ...["account:write", "transports:write", "webhooks:write"],
  ])("%s is covered by admin and by itself, never by read and write", (scope) => {
    expect(coversScope(["read", "write", "intake"], scope)).toBe(false);
    expect(coversScope(["admin"], scope)).toBe(true);
    expect(coversScope([scope], scope)).toBe(true);
  });

  it.each(["account:read", "transports:read", "webhooks:read"])("%s is covered by read, and not by admin", (scope) => {
    expect([coversScope(["read"], scope), coversScope(["admin"], scope)]).toEqual([true, false]);
  });

  it("of a resource open its alias, and never the other way", () => {
    for (const [resource, alias] of [
      ["audiences", "audiencecount"],
      ["auditlog", "accountmonitorexport"],
      ["people", "invitations"],
    ]) {
      expect(coversScope([`${resource}:read`], `${alias}:read`)).toBe(true);
      expect(coversScope([`${resource}:read`], `${alias}:write`)).toBe(false);
      expect(coversScope([`${alias}:read`], `${resource}:read`)).toBe(false);
    }
  });

  it("of others' approvals and of erasures are covered by no `read` and `write`", () => {
    expect(coversScope(["read", "write", "admin"], "approvals:write")).toBe(false);
    expect([coversScope(["write"], "erasures:write"), coversScope(["admin"], "erasures:write")]).toEqual([false, true]);
  });

  it.each(["read", "write", "admin", "intake", "message-events", "orders:read", "apikeys:write", "people:read"])(
    "%s can be given to a key",
    (text) => {
      expect(isScope(text)).toBe(true);
    },
  );

  it.each(["people:write", "invitations:write", "oauthclients:write", "approvals:write"])(
    "%s is for people, and given to no key",
    (text) => {
      expect([isScope(text), isReservedForPeople(text)]).toEqual([false, true]);
    },
  );

  it.each([
    ...["", "READ", "order:read", "orders", "orders:delete", "orders:", ":read", "intake:write", "admin:write"],
    ...["health:read", "roles:read", "whoami:read", "connections:read", "erasures:write"],
  ])("%j is none", (text) => {
    expect(isScope(text)).toBe(false);
  });
});

it("a segment that nobody classed has no class, whatever its name", () => {
  expect(["toString", "__proto__", "", "orderz"].map(classOfSegment)).toEqual(Array(4).fill(undefined));
});
