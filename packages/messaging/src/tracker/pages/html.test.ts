import { expect, test } from "vitest";
import { htmlPage } from "./html.ts";
import { askPage } from "./unsubscribePage.ts";

/** Colours of a scheme by name. */
function colours(block: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{3,6})/g)].map(([, name, value]) => [name, value]),
  );
}

const channels = (hex: string) => {
  const [digits = ""] = hex.slice(1).match(/.+/) ?? [];
  const whole = digits.length === 3 ? [...digits].map((digit) => digit + digit).join("") : digits;
  return [0, 2, 4].map((at) => Number.parseInt(whole.slice(at, at + 2), 16) / 255);
};

/** Relative luminance. @see WCAG 2.2, "relative luminance" */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = channels(hex).map((value) =>
    value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one = "", other = ""): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const page = htmlPage("Title", "<p>Text</p>");
const [light = "", dark = ""] = [...page.matchAll(/:root \{[^}]*\}/g)].map(([block]) => block);

test.each([
  ["light", light],
  ["dark", dark],
])("texts, edges and buttons of a page can be told apart in %s", (_, block) => {
  const { card, page: behind, text, soft, edge, main, "on-main": onMain } = colours(block);
  for (const [one, other] of [
    [text, card],
    [text, behind],
    [soft, card],
    [main, card],
    [onMain, main],
  ]) {
    expect(contrast(one, other)).toBeGreaterThanOrEqual(4.5);
  }
  expect(contrast(edge, card)).toBeGreaterThanOrEqual(3);
});

test("a page shows where the focus is, fits narrow screens, and runs and loads nothing", () => {
  const view = askPage({ channel: "email", isPending: true });
  expect(view).toContain(":focus-visible");
  expect(view).toContain('name="viewport" content="width=device-width, initial-scale=1"');
  expect(view).toContain("@media (max-width");
  expect(view).not.toMatch(/<script|<link|<img|url\(|@import| on\w+=/i);
});
