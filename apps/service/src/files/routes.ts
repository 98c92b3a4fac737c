import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { getFile } from "./getFile/index.ts";

export function fileRoutes(ports: RoutePorts): Route[] {
  return [getFile(ports)];
}
