import { z } from "zod";
import { ACTIVITIES_TOPIC } from "./topology.ts";
import { lanes, positionOfVersion, type Version } from "./version.ts";
import type { Json } from "./written.ts";

/**
 * Change events: what the projection emits of each change of its state, and what ClickHouse and the products are built from. One schema
 * each; types, the registry's schemas and the reader come from it.
 */
const account = z.number().int();
const contact = z.number().int();
const version = z.string().regex(/^[0-9a-f]{32}$/);
const ms = z.number().int();
const flag = z.boolean().optional();
const document = z
  .custom<Readonly<Record<string, Json>>>(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  )
  .meta({ type: "object", propertyNames: { type: "string" }, additionalProperties: {} });

/** New value of one member, null where it was removed. The version stands only where it is not the contact's. */
export type FieldChange = readonly [path: string, value: Json] | readonly [path: string, value: Json, version: Version];

const fields = z
  .custom<readonly FieldChange[]>((value) => Array.isArray(value) && value.every(isFieldChange))
  .meta({ type: "array", items: { minItems: 2, maxItems: 3, type: "array", items: {} } });

function isFieldChange(value: unknown): boolean {
  if (!Array.isArray(value) || typeof value[0] !== "string") return false;
  return value.length === 2 || (value.length === 3 && typeof value[2] === "string");
}

/** True: the change starts nothing. Absent: the default of the stream that its version names. */
const suppressTriggers = flag;

/** Records of imports start nothing unless they say so, all others do. The default costs no byte. */
function isSuppressedByDefault(version: Version): boolean {
  return positionOfVersion(version).lane === lanes["intake.bulk"];
}

const marks = { true: { suppressTriggers: true }, false: { suppressTriggers: false } } as const;
const noMark = {};

/** Returns the member of a change event that says whether it starts something; none where the default of its version says the same. */
export function triggerMark(version: Version, isSuppressed: boolean): { readonly suppressTriggers?: boolean } {
  return isSuppressed === isSuppressedByDefault(version) ? noMark : marks[`${isSuppressed}`];
}

/** Returns whether a change event starts nothing: the inverse of `triggerMark`. */
export function suppressesTriggers({
  version,
  suppressTriggers: mark,
}: {
  readonly version: Version;
  readonly suppressTriggers?: boolean | undefined;
}): boolean {
  return mark ?? isSuppressedByDefault(version);
}

/** The members of a contact that changed. */
const contactChange = z.strictObject({
  account,
  contact,
  cid: z.string(),
  createdAt: ms,
  lastModified: ms,
  version,
  /** The survivor it was merged into: its fields leave the present and stay in the history. */
  mergedInto: z.number().int().optional(),
  /** Its merge was undone: its number resolves to itself again. */
  ownAgain: flag,
  /** It is gone for good: it counts nowhere any more, and its rows are being deleted. */
  erased: flag,
  /** Numbers that resolve to this contact from now on. */
  aliases: z.array(z.number().int()).optional(),
  fields,
});

const membershipChange = z.strictObject({
  account,
  list: z.number().int(),
  contact,
  present: z.boolean(),
  joinedAt: ms,
  version,
  /** A merge moved it: the history has it under the contact it was written with. */
  merge: flag,
  suppressTriggers,
});

/** An order as a whole. */
const orderChange = z.strictObject({
  account,
  contact,
  orderId: z.string(),
  version,
  purchasedAt: ms,
  status: z.string(),
  counts: z.boolean(),
  currency: z.string(),
  total: z.string().nullable(),
  order: document,
  /** It was deleted; `order` holds what was written of it since. */
  deleted: flag,
  suppressTriggers,
});

/** A cart as a whole. */
const cartChange = z.strictObject({
  account,
  contact,
  version,
  cartId: z.string(),
  lines: z.number().int(),
  expiresAt: ms.nullable(),
  total: z.string().nullable(),
  cart: document,
  /** It went to the survivor of a merge: the history has it under the contact it was written with. */
  merge: flag,
  suppressTriggers,
});

/** A supplement record with its id, without the fields that were removed. */
const supplementChange = z.strictObject({
  account,
  supplement: z.number().int(),
  id: z.string(),
  contact: contact.nullable(),
  version,
  createdAt: ms,
  lastModified: ms,
  record: document,
  /** It was deleted, or its table was cleared. */
  deleted: flag,
});

/** An activity that something listens for, under the contact that it was applied to. */
const activityChange = z.strictObject({
  account,
  contact,
  version,
  /** Id of its record; a redriven record has that of the first one. */
  id: z.string(),
  /** Partition of the log that it came through, as `topic/partition`. */
  stream: z.string(),
  /** Position in that stream: it rises from record to record. */
  position: z.number().int(),
  action: z.string(),
  /** Its own time, in ISO 8601. */
  time: z.string(),
  properties: document,
  /** A machine opened or clicked. */
  robot: flag,
  /** It starts nothing. */
  suppressTriggers: flag,
});

const deadLetter = z.strictObject({
  account,
  recordId: z.string(),
  requestId: z.string(),
  operation: z.string(),
  code: z.string(),
  path: z.string(),
  message: z.string(),
  topic: z.string(),
  partition: z.number().int(),
  offset: z.number().int(),
  rejectedAt: ms,
  payload: z.unknown(),
});

export type ContactChangeEvent = Readonly<Omit<z.output<typeof contactChange>, "aliases">> & {
  readonly aliases?: readonly number[] | undefined;
};
export type MembershipChangeEvent = Readonly<z.output<typeof membershipChange>>;
export type OrderChangeEvent = Readonly<z.output<typeof orderChange>>;
export type CartChangeEvent = Readonly<z.output<typeof cartChange>>;
export type ActivityChangeEvent = Readonly<z.output<typeof activityChange>>;
export type SupplementChangeEvent = Readonly<z.output<typeof supplementChange>>;

/** A change event with the kind that its topic gives it. */
export type ChangeEvent =
  | { readonly kind: "contact"; readonly value: ContactChangeEvent }
  | { readonly kind: "membership"; readonly value: MembershipChangeEvent }
  | { readonly kind: "order"; readonly value: OrderChangeEvent }
  | { readonly kind: "cart"; readonly value: CartChangeEvent }
  | { readonly kind: "record"; readonly value: SupplementChangeEvent };

const frameOf = (change: z.ZodType) => z.strictObject({ position: z.number().int(), changes: z.array(change) });

/** Schema of the messages of each change topic, by topic; the topic's name is the subject. */
export const changeFrames = {
  "changes.contacts": frameOf(contactChange),
  "changes.memberships": frameOf(membershipChange),
  "changes.orders": frameOf(orderChange),
  "changes.carts": frameOf(cartChange),
  "changes.supplements": frameOf(supplementChange),
  [ACTIVITIES_TOPIC]: frameOf(activityChange),
  deadletters: frameOf(deadLetter),
} as const;

/** Readers leave members alone that a newer writer added: an older consumer goes on with those it knows. */
const readers = {
  "changes.contacts": reader("contact", contactChange.loose()),
  "changes.memberships": reader("membership", membershipChange.loose()),
  "changes.orders": reader("order", orderChange.loose()),
  "changes.carts": reader("cart", cartChange.loose()),
  "changes.supplements": reader("record", supplementChange.loose()),
};

function reader<Kind extends ChangeEvent["kind"], Value>(kind: Kind, schema: z.ZodType<Value>) {
  return (value: unknown) => {
    const parsed = schema.safeParse(value);
    return parsed.success ? { kind, value: parsed.data } : undefined;
  };
}

/**
 * Reads one change event of a message.
 * @param topic the change topic it stands in.
 * @returns undefined for what is no change event of that topic: poison.
 */
export function readChangeEvent(topic: string, value: unknown): ChangeEvent | undefined {
  return isChangeTopic(topic) ? readers[topic](value) : undefined;
}

function isChangeTopic(topic: string): topic is keyof typeof readers {
  return Object.hasOwn(readers, topic);
}

const looseActivityChange = activityChange.loose();

/** Reads one activity of a message of `ACTIVITIES_TOPIC`. @returns undefined for what is none: poison. */
export function readActivityChange(value: unknown): ActivityChangeEvent | undefined {
  return looseActivityChange.safeParse(value).data;
}
