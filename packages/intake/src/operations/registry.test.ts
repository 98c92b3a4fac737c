import { readdirSync } from "node:fs";
import { type Account, defaultSettings } from "@headwater/contracts";
import { describe, expect, test } from "vitest";
import { frameSchema } from "./jsonSchema.ts";
import { validateRedrive } from "./redrive.ts";
import { loggedOperations, operations, validatedOperations } from "./registry.ts";
import { validateItem } from "./validateItem.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
const NOW_MS = Date.parse("2026-11-21T00:00:00Z");

describe("the registry of operations", () => {
  test("names every operation that has a folder, and nothing else", () => {
    const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== "state")
      .map(({ name }) => name);
    expect(folders.length).toBeGreaterThan(0);
    expect(loggedOperations.map(({ name }) => name).sort()).toEqual(folders.sort());
  });

  test.each(validatedOperations.map((operation) => [operation.name, operation] as const))(
    "%s accepts its own sample without a warning",
    (_name, operation) => {
      const verdict = validateItem(operation, account, structuredClone(operation.sample), {
        nowMs: NOW_MS,
        scopes: [],
      });
      expect(verdict).toMatchObject({ kind: "accepted", warnings: [] });
    },
  );

  test("validates the body of every operation with a route", () => {
    expect(validatedOperations.slice(0, operations.length)).toEqual(operations);
  });

  test.each(validatedOperations.map((operation) => [operation.name, operation] as const))(
    "%s gives each of its records back as an item that becomes that record and no other",
    (name, operation) => {
      const context = { nowMs: NOW_MS, scopes: [] };
      const item = { source: "shop", ...Object(operation.sample) };
      const verdict = validateItem(operation, account, item, context);
      if (verdict.kind !== "accepted") throw new Error("the sample is accepted");
      expect(verdict.records.length).toBeGreaterThan(0);
      for (const { identity, members } of verdict.records) {
        const record = { id: "request:0:0", receivedAt: NOW_MS, keyed: true, source: "shop", ...members };
        const refused = { operation: name, payload: JSON.stringify(record) };
        expect(validateRedrive(refused, { account, patch: undefined, ...context })).toMatchObject({
          kind: "passes",
          source: "shop",
          record: { identity, members },
        });
      }
    },
  );

  test.each(validatedOperations.map((operation) => [operation.name, operation] as const))(
    "%s takes `suppressTriggers` at the top of its body into each of its records, and gives it back",
    (name, operation) => {
      const context = { nowMs: NOW_MS, scopes: [] };
      for (const suppressTriggers of [true, false]) {
        const verdict = validateItem(operation, account, { ...Object(operation.sample), suppressTriggers }, context);
        if (verdict.kind !== "accepted") throw new Error("the sample is accepted");
        expect(verdict.warnings).toEqual([]);
        for (const { members } of verdict.records) {
          expect(members).toMatchObject({ suppressTriggers });
          const payload = JSON.stringify({ id: "request:0:0", receivedAt: NOW_MS, ...members });
          expect(
            validateRedrive({ operation: name, payload }, { account, patch: undefined, ...context }),
          ).toMatchObject({ kind: "passes", record: { members } });
        }
      }
      const silent = validateItem(operation, account, structuredClone(operation.sample), context);
      expect(JSON.stringify(silent)).not.toContain("suppressTriggers");
    },
  );

  test.each(loggedOperations.map((operation) => [operation.name, operation] as const))(
    "%s has a closed schema of its frames for the registry",
    (_name, operation) => {
      expect(frameSchema(operation)).toMatchObject({ type: "object", additionalProperties: false });
    },
  );
});
