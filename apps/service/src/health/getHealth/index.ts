import { definePublicRoute, type Route } from "@headwater/http";
import type { ServicePorts } from "../../ports.ts";
import { createHealth } from "./handler.ts";
import { healthAnswer } from "./schema.ts";

export function getHealth({
  postgres,
  clickHouse,
  clock,
}: Pick<ServicePorts, "clickHouse" | "clock" | "postgres">): Route {
  const health = createHealth({ postgres, clickHouse, clock });
  return definePublicRoute({
    method: "GET",
    path: "/v2/health",
    operationId: "getHealth",
    summary: "Checks that the service is up. An API key, if sent, is verified.",
    tags: ["service"],
    answers: { 200: { description: "The service is up.", schema: healthAnswer, example: { status: "ok" } } },
    optionalAuth: "basic",
    handler: () => health(),
  });
}
