import { readdirSync } from "node:fs";
import { type Account, defaultSettings } from "@headwater/contracts";
import { describe, expect, test } from "vitest";
import { acceptItem } from "./door.ts";
import { frameSchema } from "./jsonSchema.ts";
import { doorOperations, loggedOperations, operations } from "./registry.ts";

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

  test.each(doorOperations.map((operation) => [operation.name, operation] as const))(
    "%s accepts its own sample without a warning",
    (_name, operation) => {
      const verdict = acceptItem(operation, account, structuredClone(operation.sample), {
        nowMs: NOW_MS,
        scopes: [],
      });
      expect(verdict).toMatchObject({ kind: "accepted", warnings: [] });
    },
  );

  test("has a door for every operation with a route", () => {
    expect(doorOperations.slice(0, operations.length)).toEqual(operations);
  });

  test.each(loggedOperations.map((operation) => [operation.name, operation] as const))(
    "%s has a closed schema of its frames for the registry",
    (_name, operation) => {
      expect(frameSchema(operation)).toMatchObject({ type: "object", additionalProperties: false });
    },
  );
});
