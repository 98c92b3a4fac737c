import type { CriteriaPorts } from "@headwater/audiences/audiences/runCriteria";
import type { RenderPorts } from "../messages/renderStored.ts";
import type { RoutePorts } from "../ports.ts";

/** Ports of the routes that write batch messages. */
export type MessagePorts = Pick<RoutePorts, "alertsOf" | "clickHouse" | "clock" | "postgres" | "renders">;

/** Ports that count an audience, once ClickHouse has what is stored. */
export type CheckPorts = CriteriaPorts &
  Pick<RoutePorts, "afterTimeoutMs" | "postgres" | "progress" | "streamLooks" | "waits">;

/** Ports of the route that sends them. */
export type SendPorts = MessagePorts & CheckPorts & RenderPorts & Pick<RoutePorts, "queue">;

/** Ports of the routes that change their state. */
export type StatePorts = Pick<RoutePorts, "clickHouse" | "clock" | "postgres" | "queue">;
