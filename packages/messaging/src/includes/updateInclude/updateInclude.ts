import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { Route } from "@headwater/http";
import type { RoutePorts } from "../../ports.ts";
import { INCLUDE_BYTES_MAX, includeParams, includeWritten } from "../includeView.ts";
import { updateIncludeOnce } from "./handler.ts";
import { body, requestExample } from "./schema.ts";

export function updateInclude(ports: Pick<RoutePorts, "clock" | "postgres" | "renders">): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/includes/{key}",
    operationId: "updateInclude",
    summary: "Updates an include. Absent members stay unchanged, null removes a member.",
    tags: ["includes"],
    answers: {
      200: {
        description: "The updated include.",
        schema: includeWritten,
        example: { success: true, key: "footer-2026" },
      },
      404: { description: "RECORD_NOT_FOUND: no include has this key." },
    },
    scope: "includes:write",
    target: "key",
    params: includeParams,
    body,
    bodyBytesMax: INCLUDE_BYTES_MAX,
    requestExample,
    ifMatch: true,
    returnsStored: true,
    handler: ({ params: { key }, body: changes, once, header }) =>
      updateIncludeOnce(once, { key, changes, ifMatch: header("if-match") }, ports),
  });
}
