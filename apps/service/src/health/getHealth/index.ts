import { definePublicRoute, type Route } from "@headwater/http";
import type { ServicePorts } from "../../ports.ts";
import { createHealth } from "./handler.ts";
import { healthAnswer } from "./schema.ts";

export function getHealth({ postgres, clickHouse, clock }: ServicePorts): Route {
  const health = createHealth({ postgres, clickHouse, clock });
  return definePublicRoute({
    method: "GET",
    path: "/v2/health",
    operationId: "getHealth",
    summary: "Whether the service lives; a key that is sent is checked.",
    tags: ["service"],
    answers: { 200: { description: "It does.", schema: healthAnswer, example: { status: "ok" } } },
    optionalAuth: "basic",
    handler: () => health(),
  });
}
