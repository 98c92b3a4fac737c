import type { ServicePorts } from "../ports.ts";

/** Ports of the routes that write templates. */
export type TemplatePorts = Pick<ServicePorts, "clickHouse" | "clock" | "postgres" | "renders">;
