import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { createApikey } from "../routes/createApikey/index.ts";
import { deleteApikey } from "../routes/deleteApikey/index.ts";
import { listApikeys } from "../routes/listApikeys/index.ts";

export function apikeyRoutes(ports: RoutePorts): Route[] {
  return [listApikeys(ports), createApikey(ports), deleteApikey(ports)];
}
