import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { clearAccountlist } from "../routes/clearAccountlist/index.ts";
import { countAccountlist } from "../routes/countAccountlist/index.ts";
import { listAccountlists } from "../routes/listAccountlists/index.ts";

export function accountlistRoutes(ports: RoutePorts): Route[] {
  return [listAccountlists(ports), countAccountlist(ports), clearAccountlist(ports)];
}
