import { expect, test } from "vitest";
import { chooseVariant } from "../experiments/chooseVariant.ts";
import { chosenContent } from "./experiments.ts";
import type { MessageTest } from "./messageMembers.ts";

const contentOf = (text: string) => ({ message: { content: { "text/plain": text } }, includes: [] });
const variants = [
  { name: "a", weight: 1 },
  { name: "b", weight: 3 },
];
const contents = (test: Partial<MessageTest> & Pick<MessageTest, "type">) => ({
  base: contentOf("own"),
  variants: variants.map(({ name }) => contentOf(name)),
  tests: [{ name: "words", enabled: true, variants, ...test }],
});
const message = "65f0c0ffee65f0c0ffee00aa";
const numbers = Array.from({ length: 50 }, (_, index) => index + 1);

test("a preview shows the variant that a sender would choose for the contact", () => {
  const seen = numbers.map((contact) => {
    const { content, experiments } = chosenContent(contents({ type: "split" }), {}, { message, contact, learnt: {} });
    const chosen = chooseVariant({ type: "split", variants }, {}, { message, contact })?.name;
    expect(experiments).toEqual([{ name: "words", strategy: "split", variants: ["a", "b"], variant: chosen }]);
    expect(content.message.content["text/plain"]).toBe(chosen);
    return chosen;
  });
  expect(new Set(seen)).toEqual(new Set(["a", "b"]));
});

test("outside of a champion's test it shows the message's own content, and the champion once there is one", () => {
  const champion = contents({
    type: "split-with-champion",
    testPercent: 10,
    metric: "uniqueOpens",
    decideAfterMinutes: 60,
  });
  const seenWith = (learnt: object) =>
    new Set(
      numbers.map((contact) => chosenContent(champion, {}, { message, contact, learnt }).experiments[0]?.variant),
    );
  expect(seenWith({}).has(null)).toBe(true);
  expect(seenWith({ decision: { winner: "b", at: 1 } }).has(null)).toBe(false);
});

test("a variant that is named is shown to everybody, and without an experiment the own content is", () => {
  const named = { experiment: "words", variant: "a" };
  for (const contact of numbers) {
    const { experiments } = chosenContent(contents({ type: "split" }), named, { message, contact, learnt: {} });
    expect(experiments[0]?.variant).toBe("a");
  }
  const off = contents({ type: "split", enabled: false });
  expect(chosenContent(off, {}, { message, contact: 1, learnt: {} })).toMatchObject({
    content: { message: { content: { "text/plain": "own" } } },
    experiments: [],
  });
});
