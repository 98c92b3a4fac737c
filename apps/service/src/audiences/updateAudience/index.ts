import type { Route } from "@headwater/http";
import type { ServicePorts, WritePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { audienceParams, audienceWritten, writtenExample } from "../audienceView.ts";
import { anyBody } from "../readAudienceBody.ts";
import { changeAudience } from "./handler.ts";
import { body, documentedBody, requestExample } from "./schema.ts";

export function updateAudience(ports: WritePorts & Pick<ServicePorts, "clickHouse">): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/audiences/{key}",
    operationId: "updateAudience",
    summary: "Updates a saved audience by its key or id. Absent members stay unchanged, criteria are given as a whole.",
    tags: ["audiences"],
    answers: {
      200: { description: "The updated audience.", schema: audienceWritten, example: writtenExample },
      404: { description: "RECORD_NOT_FOUND: no saved audience has this key or id." },
    },
    scope: "audiences:write",
    target: "key",
    params: audienceParams,
    body: anyBody,
    documentedBody,
    warnsBy: body,
    requestExample,
    ifMatch: true,
    handler: ({ params: { key: named }, body: given, once, header }) =>
      changeAudience(once, { named, given, ifMatch: header("if-match") }, ports),
  });
}
