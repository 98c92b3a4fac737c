import type { WritePorts } from "@headwater/api/ports";
import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { getFile } from "./routes/getFile.ts";

export function fileRoutes(ports: WritePorts & Pick<RoutePorts, "files">): Route[] {
  return [getFile(ports)];
}
