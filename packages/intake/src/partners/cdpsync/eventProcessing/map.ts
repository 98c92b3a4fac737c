import type { Sliced } from "@headwater/kernel";
import type { MapContext } from "../../endpoint.ts";
import { type NoContact, refusedIdentities, whyUnidentified } from "../../identity.ts";
import { PARTS_MAX, type Part, type Push, passedOver, refusedPart } from "../../push.ts";
import { idText, isMembers, type Members, textOf, wholeOf } from "../../reading.ts";
import { answerTo } from "../envelope.ts";
import { mappedEventTypes } from "../eventTypes.ts";
import { attributesOf, identitiesOf } from "../identities.ts";
import { activityPart } from "./activity.ts";
import { productParts, whyActionPassedOver } from "./product.ts";
import type { Body } from "./schema.ts";
import type { LocatedEvent, Subject } from "./subject.ts";
import { contactOf } from "./subject.ts";

/** The profile's attributes, and every event by itself: one that is wrong, or of no kind that is known, stops no other. */
export function* map(message: Body, context: MapContext): Sliced<Push> {
  const identities = identitiesOf(message.user_identities, context);
  const reason = whyUnidentified(context.settings, identities);
  const { identifiers } = identities;
  const canBeCreated = context.settings.partners.cdpsync.canBeCreated ?? true;
  const about: About =
    reason === undefined ? { kind: "contact", identifiers, canBeCreated } : { kind: "nobody", reason };
  return {
    answer: () => answerTo(message, "event_processing_response", context),
    name: idText(message.id),
    parts: [
      ...profileParts(message, about),
      ...(yield* partsOfEvents(message, about, context)),
      // Without another one the reason of the first refused stands at each part.
      ...(about.kind === "contact" ? refusedIdentities("/user_identities", identities) : []),
    ],
  };
}

/** The contact a message is about, or why it names none. */
type About = ({ readonly kind: "contact" } & Subject) | { readonly kind: "nobody"; readonly reason: NoContact };

function* partsOfEvents(message: Body, about: About, context: MapContext): Sliced<readonly Part[]> {
  const parts: Part[] = [];
  for (const [index, event] of (message.events ?? []).entries()) {
    if (parts.length > PARTS_MAX) break;
    const created = eventParts({ message, event, index, about, context });
    for (const part of "next" in created ? yield* created : created) parts.push(part);
    if (index % EVENTS_PER_STEP === 0) yield;
  }
  return parts;
}

const EVENTS_PER_STEP = 16;

function profileParts({ id, user_attributes, user_attribute_lists }: Body, about: About): readonly Part[] {
  const attributes = attributesOf(user_attributes, user_attribute_lists);
  if (attributes === undefined) return [];
  if (about.kind === "nobody") return [unidentified("/user_identities", attributes, about.reason)];
  return attributeParts(about, attributes, { path: "/user_attributes", once: `${idText(id)}/attributes` });
}

function unidentified(path: string, part: unknown, { message, code }: NoContact): Part {
  return refusedPart(path, part, message, code);
}

interface Input {
  readonly message: Body;
  readonly event: unknown;
  readonly index: number;
  readonly about: About;
  readonly context: MapContext;
}

/** The parts of an event, in slices where it may have many. */
type EventParts = readonly Part[] | Sliced<readonly Part[]>;

/** Maps an event. One that stands for nothing here is passed over, whomever it is about. */
function eventParts({ message, event, index, about, context }: Input): EventParts {
  const path = `/events/${index}`;
  if (!isMembers(event)) return [refusedPart(path, event, "An event must be an object.")];
  const type = mappedEventTypes.find((known) => known === textOf(event.type)?.toLowerCase());
  if (type === undefined) {
    return [passedOver(path, event, `The event type ${textOf(event.type) ?? "(none)"} is not supported.`)];
  }
  const passed = type === "product_action" ? whyActionPassedOver(event) : undefined;
  if (passed !== undefined) return [passedOver(path, event, passed)];
  if (about.kind === "nobody") return [unidentified(path, event, about.reason)];
  const id = textOf(event.id);
  const once = id === undefined ? `${idText(message.id)}/${index}` : `event/${id}`;
  return mappers[type]({ event, path, timeMs: timeOf(event, message), once, subject: about, context });
}

/** A time of an event is a whole number; what is none of the kind is refused by validation. */
function timeOf({ timestamp_ms: input }: Members, { timestamp_ms: ofMessage }: Body): number | string {
  const time = input ?? ofMessage;
  return wholeOf(time) ?? textOf(time) ?? "";
}

const mappers: Readonly<Record<(typeof mappedEventTypes)[number], (located: LocatedEvent) => EventParts>> = {
  custom_event: (placed) => [activityPart(placed)],
  screen_view: (placed) => [activityPart(placed)],
  product_action: productParts,
  user_attribute_change: changedAttributes,
  user_identity_change: identityParts,
};

/** The change of one attribute, or several under `attributes`; one that is deleted is removed. */
function changedAttributes({ event, path, once, subject }: LocatedEvent): readonly Part[] {
  const name = textOf(event.user_attribute_name) ?? textOf(event.name);
  const value = event.deleted === true ? null : (event.new ?? event.value);
  const named = name === undefined || value === undefined ? {} : { [name]: value };
  const attributes = { ...attributesOf(event.attributes), ...named };
  if (Object.keys(attributes).length === 0) {
    return [passedOver(path, event, "The event contains no attribute; the attributes of the message are used.")];
  }
  return attributeParts(subject, attributes, { path, once });
}

/** Attributes of the contact are written, and it is created if it may be. */
function attributeParts(
  subject: Subject,
  attributes: object,
  { path, once }: { readonly path: string; readonly once: string },
): Part[] {
  const body = { ...contactOf(subject), attributes, canBeUpdated: true };
  return [{ kind: "item", path, inner: "/attributes", operation: "upsertContact", body, once }];
}

/** An identity that came to the profile is attached to its contact. */
function identityParts({ event, path, once, subject, context }: LocatedEvent): readonly Part[] {
  const added = [event.added, event.new, event.user_identities].flat().filter(isMembers);
  const identities = identitiesOf(added, context);
  const identifiers = { ...identities.identifiers, ...subject.identifiers };
  const reason = whyUnidentified(context.settings, { ...identities, identifiers });
  if (reason !== undefined) return [refusedPart(path, event, reason.message, reason.code)];
  const body = { ...contactOf({ ...subject, identifiers }) };
  const refused = identities.refused.map(({ message, code, part }) => refusedPart(path, part, message, code));
  return [{ kind: "item", path, operation: "upsertContact", body, once }, ...refused];
}
