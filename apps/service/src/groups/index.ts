import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { accountRoutes } from "./account.ts";
import { accountlistRoutes } from "./accountlists.ts";
import { apikeyRoutes } from "./apikeys.ts";
import { attributeRoutes } from "./attributes.ts";
import { contactactivityRoutes } from "./contactactivities.ts";
import { contactRoutes } from "./contacts.ts";
import { deadletterRoutes } from "./deadletters.ts";
import { fileRoutes } from "./files.ts";
import { includeRoutes } from "./includes.ts";
import { jobRoutes } from "./jobs.ts";
import { orderRoutes } from "./orders.ts";
import { productRoutes } from "./products.ts";
import { serviceRoutes } from "./service.ts";
import { withSharedAnswers } from "./sharedAnswers.ts";
import { supplementRoutes } from "./supplements.ts";

/** Every route of `/v2`, by resource. */
export function routesOf(ports: RoutePorts): Route[] {
  return [
    ...serviceRoutes(ports),
    ...accountRoutes(ports),
    ...contactRoutes(ports),
    ...contactactivityRoutes(ports),
    ...accountlistRoutes(ports),
    ...attributeRoutes(ports),
    ...orderRoutes(ports),
    ...supplementRoutes(ports),
    ...productRoutes(ports),
    ...includeRoutes(ports),
    ...jobRoutes(ports),
    ...fileRoutes(ports),
    ...apikeyRoutes(ports),
    ...deadletterRoutes(ports),
  ].map(withSharedAnswers);
}
