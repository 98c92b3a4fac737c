import { defaultSettings } from "@headwater/contracts";
import type { AnsweredCall, Route } from "@headwater/http";
import { createLogger, createMetrics, manualClock } from "@headwater/kernel";
import type { Session, Value } from "@headwater/postgres/connection/session";
import { expect, test } from "vitest";
import { isAdminScope, recordRefusals } from "./recordRefusals.ts";

const account = { number: 7, id: "a".repeat(24), name: "test", settings: defaultSettings };
const route: Route = {
  ...{ method: "POST", path: "/v2/apikeys", operationId: "createApikey", summary: "s", answers: {}, shapes: {} },
  scope: "apikeys:write",
  run: () => ({ status: 200 }),
};

function setUp() {
  const written: (readonly Value[])[] = [];
  const store = { isAway: false };
  const session: Session = {
    query: async () => [],
    execute: async (_statement, values = []) => {
      if (store.isAway) throw new Error("away");
      written.push(values);
      return 1;
    },
  };
  const clock = manualClock(60_000);
  const logger = createLogger({ name: "test", level: "silent" });
  const refusals = recordRefusals({ session, clock, logger, metrics: createMetrics({ processMetrics: false }) });
  const note = (more: Partial<AnsweredCall> = {}) =>
    refusals.note({
      caller: { kind: "key", id: "k1", name: "backend", account, scopes: ["read"] },
      ...{ route, status: 403, code: "INSUFFICIENT_SCOPE", items: undefined, requestId: "r1", receivedAtMs: 60_000 },
      clientAddress: () => "203.0.113.9",
      ...more,
    });
  return { refusals, note, written, clock, store };
}

test("a refused call of a route that administers the account has an entry with caller, address and code", async () => {
  const { refusals, note, written } = setUp();
  note();
  await refusals.stop?.();
  expect(written).toHaveLength(1);
  expect(written[0]).toEqual(
    expect.arrayContaining([7, 60_000, "System", "createApikey", "k1", "203.0.113.9", "r1", "403", "key"]),
  );
});

test("other routes, other refusals and accepted calls have none", async () => {
  const { refusals, note, written } = setUp();
  note({ route: { ...route, scope: "contacts:write" } });
  note({ route: { ...route, scope: "account:read" } });
  note({ status: 422, code: "VALIDATION_ERROR" });
  note({ status: 201, code: undefined });
  await refusals.stop?.();
  expect(written).toEqual([]);
});

test("a caller has at most ten entries in a minute, and others are not held up by it", async () => {
  const { refusals, note, written, clock } = setUp();
  for (let call = 0; call < 100; call += 1) note();
  note({ caller: { kind: "key", id: "k2", name: "other", account, scopes: [] } });
  await refusals.stop?.();
  expect(written).toHaveLength(11);
  clock.advance(60_000);
  note();
  await refusals.stop?.();
  expect(written).toHaveLength(12);
});

test("writes of settings, transports and webhooks administer the account, reads of them do not", () => {
  const scopes = ["account:write", "webhooks:write", "auditlog:read", "account:read", "orders:write", undefined];
  expect(scopes.map(isAdminScope)).toEqual([true, true, true, false, false, false]);
});
