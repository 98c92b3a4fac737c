import { parseTime, toTimestamp } from "@headwater/contracts";
import type { MapContext } from "../../endpoint.ts";
import { type Identifiers, whyNoContact } from "../../identity.ts";
import { type Part, type Push, refusedPart } from "../../push.ts";
import { idText, present, textOf, timeOf } from "../../reading.ts";
import { type Body, cancellationFields, fields } from "./schema.ts";

type State = "created" | "updated" | "cancelled" | "expired";

/** Time for which a subscription is new after it was made. */
const CREATED_MS_MAX = 10_000;

/** Maps what happened to a subscription onto an activity of its contact, and the subscription as it is now onto a record. */
export function map(subscription: Body, context: MapContext): Push {
  const identifiers = identifiersOf(subscription, context);
  const reason = whyNoContact(context.settings, identifiers);
  const name = context.bodyHash;
  if (reason !== undefined) return { name, parts: [refusedPart("", subscription, reason)] };
  const state = stateOf(subscription);
  return {
    name,
    parts: [activityPart(subscription, { state, identifiers, context }), recordPart(subscription, { state, context })],
  };
}

/** The address, else the customer's, else the billing tool's own id of the customer. */
function identifiersOf(subscription: Body, { settings }: MapContext): Identifiers {
  const address = addressOf(subscription);
  if (address !== undefined) return { email: address };
  const { customer_id: customerId } = subscription;
  return customerId === undefined ? {} : { [settings.partners.subscriptionsync.customerIdKey]: idText(customerId) };
}

/** An empty address stands for an absent one. */
function addressOf({ email, customer }: Body): string | undefined {
  return textOf(email) ?? textOf(customer?.email);
}

/** Nothing in a push says what it is about: its times and its status do. */
function stateOf({ status, cancelled_at, created_at, updated_at }: Body): State {
  const said = status?.trim().toLowerCase();
  if (said === "cancelled" || said === "canceled" || textOf(cancelled_at) !== undefined) return "cancelled";
  if (said === "expired") return "expired";
  const [created, updated] = [instantOf(created_at), instantOf(updated_at)];
  if (created === undefined || updated === undefined) return "updated";
  return updated - created <= CREATED_MS_MAX ? "created" : "updated";
}

function instantOf(input: string | number | undefined): number | undefined {
  const time = timeOf(input);
  return time === undefined ? undefined : parseTime(time);
}

interface Transition {
  readonly state: State;
  readonly identifiers: Identifiers;
  readonly context: MapContext;
}

function activityPart(subscription: Body, { state, identifiers, context }: Transition): Part {
  const { created_at, updated_at, cancelled_at } = subscription;
  const said = { created: created_at, cancelled: cancelled_at, updated: undefined, expired: undefined }[state];
  const time = timeOf(said) ?? timeOf(updated_at) ?? timeOf(created_at) ?? toTimestamp(context.nowMs);
  const id = idText(subscription.id);
  const activity = {
    name: `subscription-${state}`,
    time,
    UID: `subscription-${id}-${state}-${time}`,
    properties: { id, ...fieldsOf(subscription, state) },
  };
  const contact = { identifiers, canBeCreated: true };
  return {
    kind: "item",
    path: "",
    inner: "/contactactivities/0",
    operation: "createContactactivities",
    body: { contact, contactactivities: [activity] },
    once: `${context.bodyHash}/activity`,
  };
}

function recordPart(subscription: Body, { state, context }: Pick<Transition, "state" | "context">): Part {
  const email = addressOf(subscription);
  const cancellation = state === "cancelled" ? {} : Object.fromEntries(cancellationFields.map((name) => [name, null]));
  const record = {
    id: idText(subscription.id),
    ...present({ email }),
    ...fieldsOf(subscription, state),
    ...cancellation,
  };
  return {
    kind: "item",
    path: "",
    inner: "/records/0",
    operation: "upsertSupplementsRecords",
    body: { supplement: "subscriptions", records: [record] },
    once: `${context.bodyHash}/record`,
  };
}

function fieldsOf(subscription: Body, state: State) {
  const names = state === "cancelled" ? [...fields, ...cancellationFields] : fields;
  const provided = names.map((name) => [name, fieldOf(name, subscription[name])] as const);
  const status = subscription.status?.trim().toLowerCase();
  return present({ ...Object.fromEntries(provided), status });
}

/** Ids are text, whatever form they came in. */
function fieldOf(name: string, value: unknown): unknown {
  return name === "customer_id" || name === "address_id" ? textOf(value) : value;
}
