import type { AfterPorts } from "@headwater/api/ports";
import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { countAudience } from "./countAudience/countAudience.ts";
import { createAudience } from "./routes/createAudience.ts";
import { deleteAudience } from "./routes/deleteAudience.ts";
import { getAudience } from "./routes/getAudience.ts";
import { listAudiences } from "./routes/listAudiences.ts";
import { updateAudience } from "./routes/updateAudience.ts";

export function audienceRoutes(
  ports: AfterPorts &
    Pick<RoutePorts, "clickHouse" | "cursors" | "freshness" | "aliasRevisions" | "seenNames" | "postgres">,
): Route[] {
  return [
    countAudience(ports),
    listAudiences(ports),
    createAudience(ports),
    getAudience(ports),
    updateAudience(ports),
    deleteAudience(ports),
  ];
}
