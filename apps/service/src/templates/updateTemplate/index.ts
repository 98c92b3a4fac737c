import type { Route } from "@headwater/http";
import { MESSAGE_BODY_BYTES_MAX, messageWarnings } from "../../messages/messageBody.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import type { TemplatePorts } from "../templatePorts.ts";
import { templateParams, templateWritten, writtenExample } from "../templateView.ts";
import { changeTemplate } from "./handler.ts";
import { body, changesMeant, requestExample } from "./schema.ts";

export function updateTemplate(ports: TemplatePorts): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/automationtemplates/{key}",
    operationId: "updateTemplate",
    summary: "Updates a template and publishes its content, or keeps it as a newer draft.",
    description:
      "`message` is needed and replaces the former one; other absent members stay. Every mistake is reported with `line` and `column`. `key` and `channel` cannot be changed.",
    tags: ["automationtemplates"],
    answers: {
      200: { description: "The updated template.", schema: templateWritten, example: writtenExample },
      404: { description: "RECORD_NOT_FOUND: no template has this key." },
    },
    scope: "automationtemplates:write",
    target: "key",
    params: templateParams,
    body,
    warnsOf: messageWarnings,
    bodyBytesMax: MESSAGE_BODY_BYTES_MAX,
    requestExample,
    ifMatch: true,
    handler: ({ params: { key }, body: given, once, header }) =>
      changeTemplate(once, { key, changes: changesMeant(given), ifMatch: header("if-match") }, ports),
  });
}
