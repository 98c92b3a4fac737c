import type { Route } from "@headwater/http";
import type { AfterPorts, ServicePorts, WritePorts } from "../ports.ts";
import { createSuppression } from "./createSuppression/index.ts";
import { deleteSuppression } from "./deleteSuppression/index.ts";
import { listSuppressions } from "./listSuppressions/index.ts";

export function suppressionRoutes(ports: AfterPorts & WritePorts & Pick<ServicePorts, "cursors">): Route[] {
  return [listSuppressions(ports), createSuppression(ports), deleteSuppression(ports)];
}
