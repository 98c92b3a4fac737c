import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { countAudience } from "../routes/countAudience/index.ts";
import { getAccounting } from "../routes/getAccounting/index.ts";
import { getFreshness } from "../routes/getFreshness/index.ts";
import { getHealth } from "../routes/getHealth/index.ts";
import { getReceipt } from "../routes/getReceipt/index.ts";

export function serviceRoutes(ports: RoutePorts): Route[] {
  return [getHealth(ports), getReceipt(ports), getAccounting(ports), getFreshness(ports), countAudience(ports)];
}
