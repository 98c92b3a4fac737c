import type { RoutePorts as MessagingPorts } from "@headwater/messaging/ports";
import type { Mapper } from "./createMapper.ts";

/** Ports of the routes of data jobs. */
export interface DataJobPorts extends MessagingPorts {
  /** Runs mappings, in processes of their own. */
  readonly mapper: Mapper;
}
