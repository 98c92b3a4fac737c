import type { Route } from "@headwater/http";
import type { AfterPorts, RoutePorts } from "../ports.ts";
import { createProgram } from "./routes/createProgram.ts";
import { deleteProgram } from "./routes/deleteProgram.ts";
import { getProgram } from "./routes/getProgram.ts";
import { getProgramsummary } from "./routes/getProgramsummary.ts";
import { listPrograms } from "./routes/listPrograms.ts";
import { listProgramstats } from "./routes/listProgramstats.ts";
import { updateProgram } from "./routes/updateProgram.ts";

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
