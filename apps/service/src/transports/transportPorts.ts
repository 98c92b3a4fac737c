import type { ServicePorts } from "../ports.ts";

/** Ports of the routes that write transports. */
export type TransportPorts = Pick<
  ServicePorts,
  "clock" | "postgres" | "sealer" | "transportOutbound" | "isDevelopment" | "renders" | "trackingUrl"
>;
