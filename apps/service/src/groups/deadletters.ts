import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { discardDeadletters } from "../routes/discardDeadletters/index.ts";
import { getDeadletter } from "../routes/getDeadletter/index.ts";
import { listDeadletters } from "../routes/listDeadletters/index.ts";
import { redriveDeadletters } from "../routes/redriveDeadletters/index.ts";

export function deadletterRoutes(ports: RoutePorts): Route[] {
  return [listDeadletters(ports), getDeadletter(ports), redriveDeadletters(ports), discardDeadletters(ports)];
}
