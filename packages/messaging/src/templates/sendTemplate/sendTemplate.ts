import type { WritePorts } from "@headwater/api/ports";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { Route } from "@headwater/http";
import { MESSAGE_BODY_BYTES_MAX } from "../../messages/messageBody.ts";
import { templateParams } from "../templateView.ts";
import { sendTemplateTo } from "./handler.ts";
import { recipientWarnings } from "./recipients.ts";
import { sendBody, sendExample, sentExample, sentShape, testBody } from "./schema.ts";

const shared = {
  method: "POST",
  tags: ["automationtemplates"],
  scope: "automationtemplates:write",
  target: "key",
  params: templateParams,
  requestExample: sendExample,
  bodyBytesMax: MESSAGE_BODY_BYTES_MAX,
} as const;

const answers = {
  200: { description: "A verdict for each recipient.", schema: sentShape, example: sentExample },
  404: { description: "RECORD_NOT_FOUND: no template has this key." },
  422: { description: "TEMPLATE_NOT_PUBLISHED, TRANSPORT_REQUIRED, MERGE_CONFLICT or VALIDATION_ERROR" },
};

export function sendTemplate(ports: WritePorts): Route {
  return defineWriteRoute({
    ...shared,
    path: "/v2/automationtemplates/{key}/send",
    operationId: "sendTemplate",
    summary: "Sends the published content of a template to up to 100 recipients.",
    description:
      "`accepted: true` means that the message is stored to be sent, before the answer. Unknown addresses create contacts without a subscription: transactional messages go out to them, promotional ones do not (`not-subscribed`). Members of a recipient that are no identifiers are written as attributes; the header `Headwater-Receipt` can be passed to reads as `after`. A template whose `triggers.api.enabled` is false refuses with 422.",
    answers,
    body: sendBody,
    warnsOf: recipientWarnings,
    handler: ({ params: { key }, body, once }) => sendTemplateTo(once, { key, isTest: false, body }, ports),
  });
}

export function sendTemplateDraft(ports: WritePorts): Route {
  return defineWriteRoute({
    ...shared,
    path: "/v2/automationtemplates/{key}/senddraft",
    operationId: "sendTemplatedraft",
    summary: "Sends the draft of a template as a test, without one the published content, to up to 20 recipients.",
    description:
      "A test leaves no activities and counts nowhere; suppressions hold. Nothing is written of the recipients, and an unknown address gets the message of an empty contact.",
    answers,
    body: testBody,
    handler: ({ params: { key }, body, once }) => sendTemplateTo(once, { key, isTest: true, body }, ports),
  });
}
