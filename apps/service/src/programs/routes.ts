import type { Route } from "@headwater/http";
import type { AfterPorts, RoutePorts } from "../ports.ts";
import { createProgram } from "./createProgram/index.ts";
import { deleteProgram } from "./deleteProgram/index.ts";
import { getProgram } from "./getProgram/index.ts";
import { getProgramsummary } from "./getProgramsummary/index.ts";
import { listPrograms } from "./listPrograms/index.ts";
import { listProgramstats } from "./listProgramstats/index.ts";
import { updateProgram } from "./updateProgram/index.ts";

export function programRoutes(
  ports: AfterPorts & Pick<RoutePorts, "clickHouse" | "cursors" | "freshness" | "postgres">,
): Route[] {
  return [
    listPrograms(ports),
    createProgram(ports),
    getProgram(ports),
    updateProgram(ports),
    deleteProgram(ports),
    getProgramsummary(ports),
    listProgramstats(ports),
  ];
}
