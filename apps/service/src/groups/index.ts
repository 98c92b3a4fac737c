import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { accountlistRoutes } from "./accountlists.ts";
import { apikeyRoutes } from "./apikeys.ts";
import { contactactivityRoutes } from "./contactactivities.ts";
import { contactRoutes } from "./contacts.ts";
import { deadletterRoutes } from "./deadletters.ts";
import { fileRoutes } from "./files.ts";
import { jobRoutes } from "./jobs.ts";
import { orderRoutes } from "./orders.ts";
import { serviceRoutes } from "./service.ts";

/** Every route of `/v2`, by resource. */
export function routesOf(ports: RoutePorts): Route[] {
  return [
    ...serviceRoutes(ports),
    ...contactRoutes(ports),
    ...contactactivityRoutes(ports),
    ...accountlistRoutes(ports),
    ...orderRoutes(ports),
    ...jobRoutes(ports),
    ...fileRoutes(ports),
    ...apikeyRoutes(ports),
    ...deadletterRoutes(ports),
  ];
}
