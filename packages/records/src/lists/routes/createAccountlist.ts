import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { Route } from "@headwater/http";
import type { RoutePorts } from "../../ports.ts";
import { newListBody, savedExample, savedShape } from "../listShape.ts";
import { createList } from "../saveList.ts";

export function createAccountlist(ports: Pick<RoutePorts, "clock" | "postgres">): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/accountlists",
    operationId: "createAccountlist",
    summary: "Creates a list.",
    tags: ["accountlists"],
    answers: {
      201: { description: "The list was created.", schema: savedShape, example: savedExample },
    },
    scope: "accountlists:write",
    target: "id",
    body: newListBody,
    requestExample: { name: "spring-2026", enhanced: true },
    handler: ({ body, once }) => createList(once, body, ports),
  });
}
