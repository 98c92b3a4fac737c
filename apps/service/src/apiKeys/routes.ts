import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { createApikey } from "./createApikey/index.ts";
import { deleteApikey } from "./deleteApikey/index.ts";
import { listApikeys } from "./listApikeys/index.ts";

export function apikeyRoutes(ports: RoutePorts): Route[] {
  return [listApikeys(ports), createApikey(ports), deleteApikey(ports)];
}
