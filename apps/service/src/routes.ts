import type { Route } from "@headwater/http";
import { accountRoutes } from "./account/routes.ts";
import { getAccounting } from "./accounting/routes/getAccounting.ts";
import { contactactivityRoutes } from "./activities/routes.ts";
import { withSharedAnswers } from "./answers/sharedAnswers.ts";
import { apikeyRoutes } from "./apiKeys/routes.ts";
import { attributeRoutes } from "./attributes/routes.ts";
import { audienceRoutes } from "./audiences/routes.ts";
import { batchMessageRoutes } from "./batchMessages/routes.ts";
import { cartRoutes } from "./carts/routes.ts";
import { contactRoutes } from "./contacts/routes.ts";
import { deadletterRoutes } from "./deadLetters/routes.ts";
import { exportRoutes } from "./exports/routes.ts";
import { fileRoutes } from "./files/routes.ts";
import { getFreshness } from "./freshness/routes/getFreshness.ts";
import { getHealth } from "./health/routes/getHealth.ts";
import { importRoutes } from "./imports/routes.ts";
import { includeRoutes } from "./includes/routes.ts";
import { jobRoutes } from "./jobs/routes.ts";
import { accountlistRoutes } from "./lists/routes.ts";
import { orderRoutes } from "./orders/routes.ts";
import type { RoutePorts } from "./ports.ts";
import { productRoutes } from "./products/routes.ts";
import { programRoutes } from "./programs/routes.ts";
import { getReceipt } from "./receipts/routes/getReceipt.ts";
import type { ResourceRoutes } from "./resources/defineResource.ts";
import { supplementRoutes } from "./supplements/routes.ts";
import { suppressionRoutes } from "./suppressions/routes.ts";
import { templateRoutes } from "./templates/routes.ts";
import { transportRoutes } from "./transports/routes.ts";
import { uploadRoutes } from "./uploads/routes.ts";
import { withStoredRecords } from "./writing/readOnlyMembers.ts";

/** Returns every route of `/v2`, with those of further resources. */
export function routesOf(ports: RoutePorts, further: readonly ResourceRoutes[] = []): Route[] {
  const routes = [...routesByResource(ports), ...further.flatMap((resource) => resource(ports))];
  return withStoredRecords(routes, ports).map(withSharedAnswers);
}

function routesByResource(ports: RoutePorts): Route[] {
  return [
    getHealth(ports),
    getReceipt(ports),
    getAccounting(ports),
    getFreshness(ports),
    ...audienceRoutes(ports),
    ...accountRoutes(ports),
    ...contactRoutes(ports),
    ...cartRoutes(ports),
    ...contactactivityRoutes(ports),
    ...accountlistRoutes(ports),
    ...attributeRoutes(ports),
    ...orderRoutes(ports),
    ...supplementRoutes(ports),
    ...productRoutes(ports),
    ...includeRoutes(ports),
    ...transportRoutes(ports),
    ...templateRoutes(ports),
    ...suppressionRoutes(ports),
    ...batchMessageRoutes(ports),
    ...exportRoutes(ports),
    ...programRoutes(ports),
    ...jobRoutes(ports),
    ...fileRoutes(ports),
    ...importRoutes(ports),
    ...uploadRoutes(ports),
    ...apikeyRoutes(ports),
    ...deadletterRoutes(ports),
  ];
}
