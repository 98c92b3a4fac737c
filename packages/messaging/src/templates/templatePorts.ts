import type { RoutePorts } from "../ports.ts";

/** Ports of the routes that write templates. */
export type TemplatePorts = Pick<RoutePorts, "alertsOf" | "clickHouse" | "clock" | "postgres" | "renders">;
