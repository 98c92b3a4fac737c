import type { RenderPorts } from "../messages/renderStored.ts";
import type { RoutePorts, ServicePorts } from "../ports.ts";

/** Ports of the routes that write batch messages. */
export type MessagePorts = Pick<ServicePorts, "clickHouse" | "clock" | "postgres" | "renders">;

/** Ports of the route that sends them. */
export type SendPorts = MessagePorts & RenderPorts & Pick<RoutePorts, "mergeMarks" | "queue">;

/** Ports of the routes that change their state. */
export type StatePorts = Pick<ServicePorts, "clickHouse" | "clock" | "postgres" | "queue">;
