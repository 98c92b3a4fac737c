import { eventsUrlContext, last4Of, type ShownSecret, type TransportType } from "@headwater/contracts";
import type { Sealer } from "@headwater/kernel";
import { withoutTrailing } from "@headwater/kernel";

interface Reporting {
  readonly id: string;
  readonly type: TransportType;
}

interface EventsUrlPorts {
  readonly sealer: Sealer | undefined;
  readonly trackingUrl: string;
}

/** Returns the address to which the provider of an HTTP transport posts events; its secret is shown this once. */
export function eventsUrlOf({ id, type }: Reporting, { sealer, trackingUrl }: EventsUrlPorts): { eventsUrl?: string } {
  if (type !== "http" || sealer === undefined) return {};
  const secret = sealer.tokenOf(eventsUrlContext(id));
  return { eventsUrl: `${withoutTrailing(trackingUrl, "/")}/t/in/${id}/${secret}` };
}

/** Returns the address as it may be shown afterwards. */
export function shownEventsUrl({ id, type }: Reporting, sealer: Sealer | undefined): { eventsUrl?: ShownSecret } {
  if (type !== "http" || sealer === undefined) return {};
  return { eventsUrl: { set: true, last4: last4Of(sealer.tokenOf(eventsUrlContext(id))) } };
}
