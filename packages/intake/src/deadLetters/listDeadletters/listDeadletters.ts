import { waitForAfter } from "@headwater/api/consistency/after";
import type { AfterPorts } from "@headwater/api/ports";
import { defineRoute, type Route } from "@headwater/http";
import type { RoutePorts } from "../../ports.ts";
import { listDeadlettersOf } from "./handler.ts";
import { deadlettersAnswer, query } from "./schema.ts";

export function listDeadletters(ports: AfterPorts & Pick<RoutePorts, "cursors" | "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/deadletters",
    operationId: "listDeadletters",
    summary: "Lists rejected records, or with `group=code` their causes. Returns open ones unless `status` is given.",
    tags: ["deadletters"],
    answers: {
      200: {
        description: "A page of rejected records, or of their causes, the most frequent first.",
        schema: deadlettersAnswer,
      },
    },
    auth: "basic",
    scope: "deadletters:read",
    rateClass: "read",
    query,
    handler: async ({ query: given, caller, signal }) => {
      await waitForAfter({ token: given.after, caller, store: "state", signal }, ports);
      return listDeadlettersOf(given, caller.account, ports);
    },
  });
}
