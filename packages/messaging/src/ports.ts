import type { RoutePorts as AnalyticsPorts } from "@headwater/analytics/ports";
import type { Outbound } from "@headwater/kernel";
import type { ResolveTxt } from "./check/dns/txtLookups.ts";
import type { AlertsPorts } from "./messages/alerts.ts";
import type { Renderer } from "./renderer/createRenderer.ts";

/** Ports of the routes of messaging. */
export interface RoutePorts extends AnalyticsPorts, AlertsPorts {
  /** Ways out of message transports; the operator says which private addresses they reach. */
  readonly transportOutbound: Outbound;
  /** Finds what DNS says of the domains of transports. */
  readonly resolveTxt: ResolveTxt;
  /** The installation is a developer's own: a transport that sends nothing may be a default. */
  readonly isDevelopment: boolean;
  /** Processes that check and render contents of messages. */
  readonly renders: Renderer;
  /** Address that links of messages begin with. */
  readonly trackingUrl: string;
}
