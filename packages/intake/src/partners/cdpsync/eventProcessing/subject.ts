import type { MapContext } from "../../endpoint.ts";
import type { Identifiers } from "../../identity.ts";
import type { Members } from "../../reading.ts";

/** The contact that the events of a message are about, and what the account lets them do. */
export interface Subject {
  readonly identifiers: Identifiers;
  readonly canBeCreated: boolean;
}

/** One event of a message, with its place. */
export interface LocatedEvent {
  readonly event: Members;
  /** JSON pointer into the message. */
  readonly path: string;
  /** Milliseconds since 1970: the event's own, else the message's. */
  readonly timeMs: number | string;
  /** The sender's name of the event; without one the message's and its place. */
  readonly once: string;
  readonly subject: Subject;
  readonly context: MapContext;
}

/** Contact of an item that may create it. */
export function contactOf({ identifiers, canBeCreated }: Subject) {
  return { identifiers, canBeCreated };
}
