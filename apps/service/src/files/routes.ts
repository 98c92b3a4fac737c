import type { Route } from "@headwater/http";
import type { ServicePorts, WritePorts } from "../ports.ts";
import { getFile } from "./routes/getFile.ts";

export function fileRoutes(ports: WritePorts & Pick<ServicePorts, "files">): Route[] {
  return [getFile(ports)];
}
