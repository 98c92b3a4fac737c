import type { Route } from "@headwater/http";
import type { ServicePorts, WritePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { audienceWritten, writtenExample } from "../audienceView.ts";
import { anyBody } from "../readAudienceBody.ts";
import { makeAudience } from "./handler.ts";
import { body, documentedBody, requestExample } from "./schema.ts";

export function createAudience(ports: WritePorts & Pick<ServicePorts, "clickHouse">): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/audiences",
    operationId: "createAudience",
    summary: "Saves an audience. Its key is unique within the account and cannot be changed.",
    description: "Lists are kept by id: a rename changes nothing. Invalid criteria are a 422 INVALID_AUDIENCE_RULES.",
    tags: ["audiences"],
    answers: { 201: { description: "The audience was saved.", schema: audienceWritten, example: writtenExample } },
    scope: "audiences:write",
    target: "key",
    body: anyBody,
    documentedBody,
    warnsBy: body,
    requestExample,
    handler: ({ body: audience, once }) => makeAudience(once, audience, ports),
  });
}
