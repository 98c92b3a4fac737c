import type { Route } from "@headwater/http";
import type { AfterPorts, ServicePorts } from "../ports.ts";
import { createApikey } from "./createApikey/index.ts";
import { deleteApikey } from "./deleteApikey/index.ts";
import { listApikeys } from "./listApikeys/index.ts";

export function apikeyRoutes(ports: AfterPorts & Pick<ServicePorts, "apiKeys" | "cursors" | "keys">): Route[] {
  return [listApikeys(ports), createApikey(ports), deleteApikey(ports)];
}
