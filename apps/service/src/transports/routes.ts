import type { Route } from "@headwater/http";
import type { AfterPorts, ServicePorts } from "../ports.ts";
import { checkTransport } from "./checkTransport/index.ts";
import { createTransport } from "./createTransport/index.ts";
import { deleteTransport } from "./deleteTransport/index.ts";
import { getTransport } from "./getTransport/index.ts";
import { listTransports } from "./listTransports/index.ts";
import type { TransportPorts } from "./transportPorts.ts";
import { updateTransport } from "./updateTransport/index.ts";

export function transportRoutes(
  ports: AfterPorts & TransportPorts & Pick<ServicePorts, "cursors" | "resolveTxt">,
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
