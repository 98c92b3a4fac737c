import type { Route } from "@headwater/http";
import type { AfterPorts, ServicePorts, WritePorts } from "../ports.ts";
import { createSuppression } from "./routes/createSuppression.ts";
import { deleteSuppression } from "./routes/deleteSuppression.ts";
import { listSuppressions } from "./routes/listSuppressions.ts";

export function suppressionRoutes(ports: AfterPorts & WritePorts & Pick<ServicePorts, "cursors">): Route[] {
  return [listSuppressions(ports), createSuppression(ports), deleteSuppression(ports)];
}
