import type { Route } from "@headwater/http";
import { successExample, successShape } from "../../answers/success.ts";
import type { WritePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { audienceParams } from "../audienceView.ts";
import { dropAudience } from "./handler.ts";

export function deleteAudience(ports: WritePorts): Route {
  return defineWriteRoute({
    method: "DELETE",
    path: "/v2/audiences/{key}",
    operationId: "deleteAudience",
    summary: "Deletes an unused saved audience by its key or id.",
    description:
      "An audience in use is a 422 AUDIENCE_IN_USE, and `details` names the audiences, messages and orchestrations.",
    tags: ["audiences"],
    answers: {
      200: { description: "The audience is deleted.", schema: successShape, example: successExample },
      404: { description: "RECORD_NOT_FOUND: no saved audience has this key or id." },
      422: { description: "AUDIENCE_IN_USE or IDEMPOTENCY_KEY_REUSED" },
    },
    scope: "audiences:write",
    target: "key",
    params: audienceParams,
    ifMatch: true,
    handler: ({ params: { key: named }, once, header }) =>
      dropAudience(once, { named, ifMatch: header("if-match") }, ports),
  });
}
