import type { ServicePorts } from "../ports.ts";

/** Ports of the routes that write batch messages. */
export type MessagePorts = Pick<ServicePorts, "clickHouse" | "clock" | "postgres" | "renders">;
