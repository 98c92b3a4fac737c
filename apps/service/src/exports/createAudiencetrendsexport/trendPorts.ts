import type { ServicePorts } from "../../ports.ts";
import type { ExportPorts } from "../startExport.ts";

export type TrendPorts = ExportPorts & Pick<ServicePorts, "clickHouse">;
