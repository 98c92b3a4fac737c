import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { createUpload } from "./routes/createUpload.ts";

export function uploadRoutes(ports: Pick<RoutePorts, "clock" | "files" | "postgres">): Route[] {
  return [createUpload(ports)];
}
