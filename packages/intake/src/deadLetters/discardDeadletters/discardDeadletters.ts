import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { Route } from "@headwater/http";
import type { RoutePorts } from "../../ports.ts";
import { discardSelection } from "./handler.ts";
import { body, discardAnswer, requestExample } from "./schema.ts";

export function discardDeadletters(ports: Pick<RoutePorts, "clock" | "postgres">): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/deadletters/discard",
    operationId: "discardDeadletters",
    summary: "Discards a selection of rejected records without redriving them, with a reason.",
    tags: ["deadletters"],
    answers: {
      200: { description: "The number of discarded records.", schema: discardAnswer, example: { discarded: 1 } },
      404: { description: "RECORD_NOT_FOUND: one of `ids` is not a dead letter of the account." },
    },
    requestExample,
    scope: "deadletters:write",
    body,
    handler: ({ body: request, once, signal }) => discardSelection(request, once, { ...ports, signal }),
  });
}
