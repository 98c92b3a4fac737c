import type { Sliced } from "@headwater/kernel";
import type { MapContext } from "../../endpoint.ts";
import { type NoContact, refusedIdentities, whyUnidentified } from "../../identity.ts";
import { PARTS_MAX, type Part, type Push, passedOver, refusedPart } from "../../push.ts";
import { idText, isMembers, type Members, textOf, wholeOf } from "../../reading.ts";
import { answerTo } from "../envelope.ts";
import { attributesOf, identitiesOf } from "../identities.ts";
import { activityPart } from "./activity.ts";
import { productParts } from "./product.ts";
import { attributeParts, identityParts } from "./profile.ts";
import type { Body } from "./schema.ts";
import type { PlacedEvent, Subject } from "./subject.ts";

/** The profile's attributes, and every event by itself: one that is wrong, or of no kind that is known, stops no other. */
export function* map(message: Body, context: MapContext): Sliced<Push> {
  const answer = () => answerTo(message, "event_processing_response", context);
  const name = idText(message.id);
  const identities = identitiesOf(message.user_identities, context);
  const reason = whyUnidentified(context.settings, identities);
  const events = message.events ?? [];
  if (reason !== undefined) return { answer, name, parts: unidentified(message, reason) };
  const { identifiers } = identities;
  const subject = { identifiers, canBeCreated: context.settings.partners.cdpsync.canBeCreated ?? true };
  return {
    answer,
    name,
    parts: [
      ...profileParts(message, subject),
      ...(yield* partsOfEvents(message, events, { subject, context })),
      ...refusedIdentities("/user_identities", identities),
    ],
  };
}

function* partsOfEvents(
  message: Body,
  events: readonly unknown[],
  given: Pick<Given, "subject" | "context">,
): Sliced<readonly Part[]> {
  const parts: Part[] = [];
  for (const [index, event] of events.entries()) {
    if (parts.length > PARTS_MAX) break;
    const made = eventParts({ message, event, index, ...given });
    for (const part of "next" in made ? yield* made : made) parts.push(part);
    if (index % EVENTS_PER_STEP === 0) yield;
  }
  return parts;
}

const EVENTS_PER_STEP = 16;

function unidentified(message: Body, { message: reason, code }: NoContact): Part[] {
  const { events = [] } = message;
  const attributes = attributesOf(message.user_attributes, message.user_attribute_lists);
  const profile = attributes === undefined ? [] : [refusedPart("/user_identities", attributes, reason, code)];
  return [
    ...profile,
    ...events.slice(0, PARTS_MAX).map((event, index) => refusedPart(`/events/${index}`, event, reason, code)),
  ];
}

function profileParts({ id, user_attributes, user_attribute_lists }: Body, subject: Subject): Part[] {
  const attributes = attributesOf(user_attributes, user_attribute_lists);
  if (attributes === undefined) return [];
  return attributeParts(subject, attributes, { path: "/user_attributes", once: `${idText(id)}/attributes` });
}

interface Given {
  readonly message: Body;
  readonly event: unknown;
  readonly index: number;
  readonly subject: Subject;
  readonly context: MapContext;
}

/** The parts of an event, in slices where it may have many. */
type EventParts = readonly Part[] | Sliced<readonly Part[]>;

function eventParts({ message, event, index, subject, context }: Given): EventParts {
  const path = `/events/${index}`;
  if (!isMembers(event)) return [refusedPart(path, event, "An event must be an object.")];
  const id = textOf(event.id);
  const once = id === undefined ? `${idText(message.id)}/${index}` : `event/${id}`;
  const placed = { event, path, timeMs: timeOf(event, message), once, subject, context };
  return mapperOf(textOf(event.type))(placed);
}

/** A time of an event is a whole number; what is none of the kind is refused by validation. */
function timeOf({ timestamp_ms: given }: Members, { timestamp_ms: ofMessage }: Body): number | string {
  const time = given ?? ofMessage;
  return wholeOf(time) ?? textOf(time) ?? "";
}

function mapperOf(type: string | undefined): (placed: PlacedEvent) => EventParts {
  switch (type?.toLowerCase()) {
    case "custom_event":
    case "screen_view":
      return (placed) => [activityPart(placed)];
    case "product_action":
      return productParts;
    case "user_attribute_change":
      return ({ event, path, once, subject }) => changedAttributes(event, { path, once, subject });
    case "user_identity_change":
      return identityParts;
    default:
      return ({ event, path }) => [passedOver(path, event, `The event type ${type ?? "(none)"} is not supported.`)];
  }
}

interface Place {
  readonly path: string;
  readonly once: string;
  readonly subject: Subject;
}

/** The change of one attribute, or several under `attributes`; one that is deleted is removed. */
function changedAttributes(event: Members, { path, once, subject }: Place): readonly Part[] {
  const name = textOf(event.user_attribute_name) ?? textOf(event.name);
  const value = event.deleted === true ? null : (event.new ?? event.value);
  const named = name === undefined || value === undefined ? {} : { [name]: value };
  const attributes = { ...attributesOf(event.attributes), ...named };
  if (Object.keys(attributes).length === 0) {
    return [passedOver(path, event, "The event contains no attribute; the attributes of the message are used.")];
  }
  return attributeParts(subject, attributes, { path, once });
}
