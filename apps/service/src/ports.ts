import type { RoutePorts as MessagingPorts } from "@headwater/messaging/ports";

/** All that routes are made with; each takes only the ports that it uses. */
export type RoutePorts = MessagingPorts;

/** The ports that the process makes. */
export type ServicePorts = Omit<RoutePorts, "freshness" | "attributeRules" | "aliasRevisions" | "seenNames">;
