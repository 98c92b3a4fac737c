import type { RoutePorts as AccountPorts } from "@headwater/accounts/ports";
import type { AttributeRulesCache } from "./attributes/rulesCache.ts";

/** Ports of the routes of records. */
export interface RoutePorts extends AccountPorts {
  readonly attributeRules: AttributeRulesCache;
}
