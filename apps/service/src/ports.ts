import type { DataJobPorts } from "@headwater/automation/dataJobs/ports";

/** All that routes are made with; each takes only the ports that it uses. */
export type RoutePorts = DataJobPorts;

/** The ports that the process makes. */
export type ServicePorts = Omit<RoutePorts, "freshness" | "attributeRules" | "aliasRevisions" | "seenNames">;
