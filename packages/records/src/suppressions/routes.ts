import type { AfterPorts, WritePorts } from "@headwater/api/ports";
import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { createSuppression } from "./routes/createSuppression.ts";
import { deleteSuppression } from "./routes/deleteSuppression.ts";
import { listSuppressions } from "./routes/listSuppressions.ts";

export function suppressionRoutes(ports: AfterPorts & WritePorts & Pick<RoutePorts, "cursors">): Route[] {
  return [listSuppressions(ports), createSuppression(ports), deleteSuppression(ports)];
}
