import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { getContact } from "../routes/getContact/index.ts";
import { listContacthistory } from "../routes/listContacthistory/index.ts";
import { splitContact } from "../routes/splitContact/index.ts";

export function contactRoutes(ports: RoutePorts): Route[] {
  return [getContact(ports), listContacthistory(ports), splitContact(ports)];
}
