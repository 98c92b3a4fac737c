import type { Route } from "@headwater/http";
import type { AfterPorts, RoutePorts } from "../ports.ts";
import { countAudience } from "./countAudience/index.ts";
import { createAudience } from "./createAudience/index.ts";
import { deleteAudience } from "./deleteAudience/index.ts";
import { getAudience } from "./getAudience/index.ts";
import { listAudiences } from "./listAudiences/index.ts";
import { updateAudience } from "./updateAudience/index.ts";

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
