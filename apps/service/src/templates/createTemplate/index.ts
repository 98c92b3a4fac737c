import type { Route } from "@headwater/http";
import { MESSAGE_BODY_BYTES_MAX, messageWarnings } from "../../messages/messageBody.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import type { TemplatePorts } from "../templatePorts.ts";
import { templateWritten, writtenExample } from "../templateView.ts";
import { makeTemplate } from "./handler.ts";
import { body, requestExample } from "./schema.ts";

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
    target: "key",
    body,
    warnsOf: messageWarnings,
    bodyBytesMax: MESSAGE_BODY_BYTES_MAX,
    requestExample,
    handler: ({ body: template, once }) => makeTemplate(once, template, ports),
  });
}
