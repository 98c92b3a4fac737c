import type { RoutePorts, ServicePorts } from "../ports.ts";

/** Ports of the routes that write templates. */
export type TemplatePorts = Pick<ServicePorts, "clock" | "postgres" | "renders">;

/** Ports of the routes that render them. */
export type RenderPorts = Pick<RoutePorts, "attributeRules" | "clock" | "postgres" | "renders" | "trackingUrl">;
