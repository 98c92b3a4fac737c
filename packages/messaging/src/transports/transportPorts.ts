import type { RoutePorts } from "../ports.ts";

/** Ports of the routes that write transports. */
export type TransportPorts = Pick<
  RoutePorts,
  "clock" | "postgres" | "sealer" | "transportOutbound" | "isDevelopment" | "renders" | "trackingUrl"
>;
