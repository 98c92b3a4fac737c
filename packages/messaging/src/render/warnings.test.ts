import { expect, test } from "vitest";
import { renderMessage } from "./renderMessage.ts";

function warningsOf(html: string, context: Readonly<Record<string, unknown>> = {}) {
  const { warnings } = renderMessage({
    ...{ channel: "email", headers: {}, includes: {}, currency: "EUR", timezone: "UTC" },
    ...{ html, context },
  });
  return warnings.map(({ code, message, count }) => ({ code, message, count }));
}

test.each([
  "https://x.example/",
  "mailto:ann@example.com",
  "tel:+4366012",
  "sms:+4366012?body=Hi",
  "whatsapp://send?text=Hi",
  "WhatsApp:send",
  "viber://chat?number=1",
  "tg://resolve?domain=shop",
  "geo:48.2,16.4",
  "webcal://x.example/cal.ics",
  "#top",
])("a link to %s leads somewhere", (href) => {
  expect(warningsOf(`<a href="${href}">x</a>`)).toEqual([]);
});

test.each([
  "",
  " ",
  "/relative",
  "x.example",
  "//x.example/",
  "https://",
  "https:x",
  "mailto:",
  "javascript:alert(1)",
  "data:text/html,x",
  "JavaScript:x",
  "c:",
])("a link to %j leads nowhere", (href) => {
  expect(warningsOf(`<a href="${href}">x</a>`)).toMatchObject([{ code: "unknown_link" }]);
});

test("an object in a text is named", () => {
  const contact = { name: "Ada", tags: ["a", "b"], orders: [{ id: 1 }], none: null };
  const [first, second, ...more] = warningsOf("<p>{{ contact }} {{ contact.orders }} {{ contact }}</p>", { contact });
  expect(first).toMatchObject({ code: "object_in_text", count: 2, message: expect.stringContaining("{{ contact }}") });
  expect(second).toMatchObject({ code: "object_in_text", count: 1 });
  expect(more).toEqual([]);
  expect(
    warningsOf("<p>{{ contact.name }}{{ contact.tags }}{{ contact.none }}{{ contact | json }}</p>", { contact }),
  ).toEqual([]);
});

test("an object in a plain text is named, too", () => {
  const { warnings } = renderMessage({
    ...{ channel: "sms", headers: {}, includes: {}, currency: "EUR", timezone: "UTC" },
    ...{ text: "Hi {{ contact }}", context: { contact: { name: "Ada" } } },
  });
  expect(warnings).toMatchObject([{ code: "object_in_text" }]);
});
