import type { RoutePorts } from "../../ports.ts";
import type { ExportPorts } from "../startExport.ts";

export type TrendPorts = ExportPorts & Pick<RoutePorts, "clickHouse">;
