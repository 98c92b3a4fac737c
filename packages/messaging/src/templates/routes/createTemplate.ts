import { type OnceCall, runOnce } from "@headwater/api/idempotency/runOnce";
import { etagOf } from "@headwater/api/writing/ifMatch";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { type Answer, type Route, refusal } from "@headwater/http";
import { newTemplateId } from "@headwater/kernel";
import { z } from "zod";
import { MESSAGE_BODY_BYTES_MAX, messageWarnings } from "../../messages/messageBody.ts";
import { orDefault } from "../../messages/orDefault.ts";
import { checkRecurring, recurringIn } from "../checkRecurring.ts";
import { resolveExperiment } from "../resolveExperiment.ts";
import { resolveTriggers } from "../resolveTriggers.ts";
import { checkTemplate, resolveReferences } from "../saveTemplate.ts";
import type { TemplatePorts } from "../templatePorts.ts";
import * as templates from "../templates.ts";
import {
  defaultSettings,
  messageExample,
  templateMembers,
  templateWritten,
  versionOfTemplate,
  writtenExample,
} from "../templateView.ts";
import { defaultTriggers, startsByTriggers } from "../triggers.ts";

const { key, name, channel, baseAggregation, message, tags, transportID, draftContent, ...fallback } = templateMembers;
const { classification, trackLinks, priority, bcc, bccEnabled, trackOpens, strict, onUnknown, triggers, entry, tests } =
  fallback;

const body = z.object({
  ...{ key, name, channel, baseAggregation, message, tags, transportID, draftContent },
  classification: classification.optional(),
  trackLinks: trackLinks.optional(),
  priority: priority.optional(),
  bcc: bcc.optional(),
  bccEnabled: bccEnabled.optional(),
  trackOpens: trackOpens.optional(),
  strict: strict.optional(),
  onUnknown: onUnknown.optional(),
  triggers: triggers.optional(),
  entry: entry.optional(),
  tests: tests.optional(),
});
type NewTemplate = z.output<typeof body>;

export const requestExample = {
  ...{
    key: "welcome-2026",
    name: "Welcome",
    channel: "email",
    classification: "promotional",
    baseAggregation: "daily",
  },
  tags: ["welcome"],
  message: messageExample,
};

/** Throws 422 `VALIDATION_ERROR` with every mistake of the content, `KEY_MUST_BE_UNIQUE` for a key that is taken. */
async function createTemplateOnce(
  call: OnceCall,
  { key, channel, message, tags = null, transportID = null, draftContent, triggers, tests, ...input }: NewTemplate,
  ports: TemplatePorts,
): Promise<Answer> {
  const account = call.caller.account.number;
  const checked = await checkTemplate(call.caller.account, { channel, message, tests: tests ?? [] }, ports);
  const checkedRecurring = await checkRecurring(triggers, call.caller.account, ports);
  const content = JSON.stringify(checked.content);
  const template = {
    ...{ account, key, mdtId: newTemplateId(), channel, tags, transportId: transportID },
    settings: JSON.stringify({
      ...defaultSettings,
      ...orDefault(input, defaultSettings),
      triggers: { ...defaultTriggers, ...triggers, ...recurringIn(checkedRecurring) },
    }),
    published: draftContent === true ? null : content,
    draft: draftContent === true ? content : null,
  };
  return runOnce(ports.postgres, call, async (transaction) => {
    await resolveReferences(transaction, template, checked);
    const nowMs = ports.clock.nowMs();
    if (!(await templates.createTemplate(transaction, template, nowMs))) throw keyTaken(key);
    await resolveTriggers(transaction, { account: call.caller.account, template, checked: checkedRecurring, nowMs });
    await resolveExperiment(transaction, template, nowMs);
    const body = { success: true, key };
    return { answer: { status: 201, body, headers: { ETag: etagOf(versionOfTemplate(template)) } }, kept: body };
  });
}

function keyTaken(key: string) {
  const message = `A template with the key ${JSON.stringify(key)} already exists.`;
  return refusal("KEY_MUST_BE_UNIQUE", message, { details: [{ path: "/key", code: "bad_value", message }] });
}

export function createTemplate(ports: TemplatePorts): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/automationtemplates",
    operationId: "createTemplate",
    summary: "Creates a template of an automated message, and publishes its content.",
    description:
      "A taken key is a 422 KEY_MUST_BE_UNIQUE. Every mistake of the content is reported with `line` and `column`. `draftContent: true` keeps it as a draft.",
    tags: ["automationtemplates"],
    answers: {
      201: { description: "The template was created.", schema: templateWritten, example: writtenExample },
    },
    scope: "automationtemplates:write",
    dryRun: { class: "rolledBack", starts: (_answer, record) => startsByTriggers(record) },
    target: "key",
    body,
    warnsOf: messageWarnings,
    bodyBytesMax: MESSAGE_BODY_BYTES_MAX,
    requestExample,
    handler: ({ body: template, once }) => createTemplateOnce(once, template, ports),
  });
}
