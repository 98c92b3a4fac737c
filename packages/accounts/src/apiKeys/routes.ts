import type { AfterPorts } from "@headwater/api/ports";
import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { createApikey } from "./routes/createApikey.ts";
import { deleteApikey } from "./routes/deleteApikey.ts";
import { listApikeys } from "./routes/listApikeys.ts";

export function apikeyRoutes(ports: AfterPorts & Pick<RoutePorts, "apiKeys" | "cursors" | "keys">): Route[] {
  return [listApikeys(ports), createApikey(ports), deleteApikey(ports)];
}
