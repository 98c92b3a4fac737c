import type { RoutePorts } from "../ports.ts";

/** Ports of the routes that write templates. */
export type TemplatePorts = Pick<RoutePorts, "clickHouse" | "clock" | "postgres" | "renders">;
