import type { Route } from "@headwater/http";
import type { ServicePorts } from "../ports.ts";
import { createUpload } from "./routes/createUpload.ts";

export function uploadRoutes(ports: Pick<ServicePorts, "clock" | "files" | "postgres">): Route[] {
  return [createUpload(ports)];
}
