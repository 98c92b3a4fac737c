import type { Route } from "@headwater/http";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import type { TemplatePorts } from "../templatePorts.ts";
import { templateParams, templateWritten, writtenExample } from "../templateView.ts";
import { publishDraft } from "./handler.ts";

export function publishTemplate(ports: Pick<TemplatePorts, "clock" | "postgres">): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/automationtemplates/{key}/publish",
    operationId: "publishTemplate",
    summary: "Publishes the draft of a template. Without a newer draft nothing changes.",
    tags: ["automationtemplates"],
    answers: {
      200: { description: "The draft is published.", schema: templateWritten, example: writtenExample },
      404: { description: "RECORD_NOT_FOUND: no template has this key." },
    },
    scope: "automationtemplates:write",
    target: "key",
    params: templateParams,
    ifMatch: true,
    handler: ({ params: { key }, once, header }) => publishDraft(once, { key, ifMatch: header("if-match") }, ports),
  });
}
