import { shapes } from "@headwater/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { listNamesOf } from "./listNames.ts";

const namesOf = (name: string, externalId = "42") => listNamesOf("cohortsync", { name, externalId, isMade: true });

describe("a partner's list", () => {
  test.each([
    ["High Value Users", "HighValueUsers"],
    ["  VIP\u00a0clients ", "VIPclients"],
    ["Z\u00fcrich (EU) / 2026", "Zurich-EU-2026"],
    ["\u65e5\u672c", "list-42"],
    ["CID", "list-42"],
    ["", "list-42"],
  ])("called %j is named %s, and keeps its own name to be shown", (input, name) => {
    expect(namesOf(input).names).toEqual([name, `${name}-42`, `${name}-42-cohortsync`]);
    expect(namesOf(input).displayName).toBe(input.trim() === "" ? name : input.trim());
  });

  test("has names that a list may have, whatever it is called", () => {
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.string({ minLength: 100, maxLength: 300 }));
    fc.assert(
      fc.property(text, text, (name, id) => {
        for (const created of namesOf(name, id).names) {
          expect(shapes.listTarget.listName.safeParse(created).success).toBe(true);
        }
      }),
    );
  });
});
