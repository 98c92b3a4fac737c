import { type Account, accountSettings } from "@headwater/contracts";
import { expect, test } from "vitest";
import { freezeTemplate } from "../../frozen/freezeTemplate.ts";
import { activitiesOf } from "./activities.ts";
import type { Settlement } from "./outcome.ts";
import { testSend } from "./testSend.ts";

const account: Account = {
  ...{ number: 1, id: "a".repeat(24), name: "Shop" },
  settings: accountSettings.parse({ timezone: "Europe/Berlin" }),
};
const resolution: Settlement = {
  settled: { state: "sent", reason: null, code: 250, text: "ok", dueAt: 0 },
  isSent: true,
};
const settings = (triggers?: object) =>
  JSON.stringify({
    ...{ name: "Weekly", classification: "promotional", baseAggregation: "daily", trackLinks: "enabled" },
    ...{ priority: 2, bcc: null, bccEnabled: false, triggers },
  });
const SUBJECT = "Hi {{ contact.first_name }}";
const content = JSON.stringify({
  message: { headers: { subject: SUBJECT }, content: { "text/plain": "Hi" } },
  includes: [],
});

/** Properties of the `message-sent` of a template. */
function reported(triggers?: object): Readonly<Record<string, unknown>> {
  const template = { key: "weekly", channel: "email", tags: null, transportId: null, settings: settings(triggers) };
  const message = freezeTemplate(template, content, {});
  const wanted = { message, mergeData: {}, attachments: [], variant: null, isHeldOut: false };
  const [sent = expect.fail()] = activitiesOf(account, testSend, { settlement: resolution, wanted });
  expect(sent.action).toBe("message-sent");
  return sent.properties;
}

test("the subject that is reported is that of the message, not of one person's copy", () => {
  expect(reported().subject).toBe(SUBJECT);
});

test("a message that goes to a saved audience says so where it was sent, and others name none", () => {
  const recurring = { enabled: true, "audience-key": "customers" };
  expect(reported({ recurring })).toMatchObject({ messageKey: "weekly", audienceKeys: ["customers"] });
  for (const triggers of [
    undefined,
    {},
    { recurring: { ...recurring, enabled: false } },
    { recurring: { enabled: true } },
  ])
    expect(reported(triggers)).not.toHaveProperty("audienceKeys");
});
