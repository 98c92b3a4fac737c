import type { Route } from "@headwater/http";
import type { AfterPorts, ServicePorts } from "../ports.ts";
import { createApikey } from "./routes/createApikey.ts";
import { deleteApikey } from "./routes/deleteApikey.ts";
import { listApikeys } from "./routes/listApikeys.ts";

export function apikeyRoutes(ports: AfterPorts & Pick<ServicePorts, "apiKeys" | "cursors" | "keys">): Route[] {
  return [listApikeys(ports), createApikey(ports), deleteApikey(ports)];
}
