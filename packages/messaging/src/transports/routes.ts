import type { AfterPorts } from "@headwater/api/ports";
import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { checkTransport } from "./routes/checkTransport.ts";
import { createTransport } from "./routes/createTransport.ts";
import { deleteTransport } from "./routes/deleteTransport.ts";
import { getTransport } from "./routes/getTransport.ts";
import { listTransports } from "./routes/listTransports.ts";
import { updateTransport } from "./routes/updateTransport.ts";
import type { TransportPorts } from "./transportPorts.ts";

export function transportRoutes(
  ports: AfterPorts & TransportPorts & Pick<RoutePorts, "cursors" | "resolveTxt">,
): Route[] {
  return [
    listTransports(ports),
    createTransport(ports),
    getTransport(ports),
    updateTransport(ports),
    deleteTransport(ports),
    checkTransport(ports),
  ];
}
