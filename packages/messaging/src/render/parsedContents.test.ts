import fc from "fast-check";
import { expect, test } from "vitest";
import { ParsedContents } from "./parsedContents.ts";
import { type RenderRequest, renderMessage } from "./renderMessage.ts";

/** Liquid that would show what another render left behind. */
const PARTS = [
  "{% cycle 'a', 'b' %}{% cycle 'a', 'b' %}",
  "{% increment n %}{% increment n %}",
  "{% assign seen = contact.name %}{{ seen }}",
  "[{{ seen }}{{ missing }}]",
  "{% for i in (1..4) limit: 2 %}{{ i }}{% endfor %}{% for i in (1..4) offset: continue %}{{ i }}{% endfor %}",
  "{% include 'foot' %}",
  "{{ amount | money }} {{ '2026-01-31' | date: '%B' }}",
];
const FOOTS = ["<i>{{ contact.name }}</i>", "{{ gone }}"];

const requests: fc.Arbitrary<RenderRequest> = fc
  .record({
    html: fc.shuffledSubarray(PARTS, { minLength: 1 }).map((parts) => `<p>${parts.join(" ")}</p>`),
    foot: fc.constantFrom(...FOOTS),
    timezone: fc.constantFrom("UTC", "Europe/Berlin"),
    currency: fc.constantFrom("USD", "EUR"),
    name: fc.constantFrom("Ada", "<Bob>"),
  })
  .map(({ html, foot, timezone, currency, name }) => ({
    ...{ channel: "email", html, timezone, currency, includes: { foot } },
    headers: { subject: "Hi {{ contact.name }} {{ missing }}" },
    context: { contact: { name }, amount: 12.5 },
  }));

test("whatever was rendered before, a message is rendered as if it were the first", () => {
  fc.assert(
    fc.property(fc.array(requests, { minLength: 2, maxLength: 20 }), (all) => {
      const parsed = new ParsedContents();
      // Counters of a content are written into its context, which each render has for itself.
      for (const request of all) {
        expect(renderMessage(structuredClone(request), parsed)).toEqual(renderMessage(structuredClone(request)));
      }
    }),
    { numRuns: 30 },
  );
});

test("a mistake is found each time, at its place", () => {
  const parsed = new ParsedContents();
  const request = {
    ...{ channel: "email", html: "<p>\n{{ x | none }}</p>", timezone: "UTC", currency: "USD", includes: {} },
    ...{ headers: {}, context: {} },
  };
  for (let turn = 0; turn < 2; turn++) {
    expect(() => renderMessage(request, parsed)).toThrow(expect.objectContaining({ line: 2 }));
  }
});
