import { authenticationFailed, definePublicRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { createHealth } from "./handler.ts";
import { healthAnswer, query } from "./schema.ts";

export function getHealth(ports: AfterPorts & Pick<ServicePorts, "clickHouse" | "postgres">): Route {
  const { postgres, clickHouse, clock } = ports;
  const health = createHealth({ postgres, clickHouse, clock });
  return definePublicRoute({
    method: "GET",
    path: "/v2/health",
    operationId: "getHealth",
    summary: "Checks that the service is up. An API key, if sent, is verified.",
    description: "`after` needs the key of the account whose receipt it is.",
    tags: ["service"],
    answers: { 200: { description: "The service is up.", schema: healthAnswer, example: { status: "ok" } } },
    optionalAuth: "basic",
    query,
    handler: async ({ query: { after }, sender: caller, signal }) => {
      if (after !== undefined) {
        if (caller === undefined) throw authenticationFailed("basic");
        await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      }
      return health();
    },
  });
}
