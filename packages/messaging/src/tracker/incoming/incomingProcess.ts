import type { ProviderEvents } from "@headwater/contracts";
import { serveTasks } from "@headwater/sandbox/serve";
import { createEventReader, type ProviderEvent } from "../../providerEvents/readProviderEvents.ts";
import { readMail } from "../mail/readMail.ts";
import { parsePosted } from "../provider/postedBody.ts";

/** A body that a provider posted, and the mapping of the transport that it is for. */
export interface PostedEvents {
  readonly mapping: ProviderEvents;
  readonly body: Uint8Array;
  readonly mediaType: string;
  readonly eventsMax: number;
}

export type ReadEvents =
  | { readonly kind: "events"; readonly events: readonly ProviderEvent[] }
  /** Neither JSON nor a form. */
  | { readonly kind: "unreadable" }
  | { readonly kind: "too-many" };

const incomingTasks = {
  readMail: (head: Uint8Array) => readMail(Buffer.from(head)),
  readEvents: ({ mapping, body, mediaType, eventsMax }: PostedEvents): ReadEvents => {
    const posted = parsePosted(Buffer.from(body), mediaType);
    if (posted === undefined) return { kind: "unreadable" };
    const events = createEventReader(mapping)(posted, eventsMax);
    return events === undefined ? { kind: "too-many" } : { kind: "events", events };
  },
};

/** Tasks of the processes that read mails and events from outside. */
export type IncomingTasks = typeof incomingTasks;

await serveTasks(incomingTasks);
