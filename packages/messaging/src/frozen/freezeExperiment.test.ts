import { expect, test } from "vitest";
import { freezeExperiment } from "./frozenExperiment.ts";
import { includesOf } from "./templateContent.ts";

const content = (html: string, includes: readonly string[] = []) => ({
  message: { content: { "text/html": html } },
  includes: [...includes],
});
const split = { type: "split", enabled: true, variants: [{ name: "a" }, { name: "b", weight: 3 }] } as const;

test("the enabled test is frozen with the contents of its variants, alike by weight unless they say otherwise", () => {
  const off = { ...split, enabled: false, name: "old" };
  expect(freezeExperiment([off, split], [content("A"), content("B")])).toEqual({
    ...{ name: "split", type: "split" },
    variants: [
      { name: "a", weight: 1, content: content("A") },
      { name: "b", weight: 3, content: content("B") },
    ],
  });
  expect(freezeExperiment([off], [])).toBeUndefined();
});

test("a template uses the includes of its variants as well as its own", () => {
  const text = JSON.stringify({
    ...content("A", ["head"]),
    tests: [split],
    variants: [content("B", ["foot", "head"])],
  });
  expect(includesOf(text, null)).toEqual(["foot", "head"]);
});
