import { type Sliced, safeParse } from "@headwater/kernel";
import type { MapContext } from "../../endpoint.ts";
import { type Identifiers, refusedIdentities, whyUnidentified } from "../../identity.ts";
import { PARTS_MAX, type Part, type Push, passedOver, refusedPart } from "../../push.ts";
import { idText, isAbsent, isMembers, present, whyNot } from "../../reading.ts";
import { answerTo } from "../envelope.ts";
import { identitiesOf } from "../identities.ts";
import { listIdOf, listOf } from "../list.ts";
import { type Audience, audience, type Body, writtenAttribute } from "./schema.ts";

const ATTRIBUTES_PER_STEP = 64;

/** Every audience of every profile by itself, in the order of the message. */
export function* map(message: Body, context: MapContext): Sliced<Push> {
  const parts: Part[] = [];
  for (const [index, profile] of (message.user_profiles ?? []).entries()) {
    if (parts.length > PARTS_MAX) break;
    const input = { profile, path: `/user_profiles/${index}`, once: `${idText(message.id)}/${index}`, context };
    for (const part of yield* profileParts(input)) parts.push(part);
    if (index % PROFILES_PER_STEP === 0) yield;
  }
  return {
    parts,
    name: idText(message.id),
    answer: () => ({
      ...answerTo(message, "audience_membership_change_response", context),
      suspend_subscription: false,
    }),
  };
}

const PROFILES_PER_STEP = 16;
const AUDIENCES_PER_STEP = 64;

interface Profile {
  readonly profile: unknown;
  readonly path: string;
  readonly once: string;
  readonly context: MapContext;
}

function* profileParts({ profile, path, once, context }: Profile): Sliced<Part[]> {
  if (!isMembers(profile)) return [refusedPart(path, profile, "A profile must be an object.")];
  const identities = identitiesOf(profile.user_identities, context);
  const reason = whyUnidentified(context.settings, identities);
  if (reason !== undefined) return [refusedPart(path, profile, reason.message, reason.code)];
  const { identifiers } = identities;
  const { audiences = [] } = profile;
  if (!Array.isArray(audiences)) {
    return [refusedPart(`${path}/audiences`, audiences, "The audiences of a profile must be an array.")];
  }
  const parts: Part[] = [];
  for (const [index, provided] of audiences.slice(0, PARTS_MAX).entries()) {
    const position = { identifiers, path: `${path}/audiences/${index}`, once: `${once}/${index}`, context };
    for (const part of yield* partsOf(provided, position)) parts.push(part);
    if (index % AUDIENCES_PER_STEP === 0) yield;
  }
  return parts.concat(refusedIdentities(`${path}/user_identities`, identities));
}

function* partsOf(received: unknown, place: Omit<Member, "given">): Sliced<readonly Part[]> {
  if (!isMembers(received)) return [refusedPart(place.path, received, "An audience must be an object.")];
  const parsed = safeParse(audience, received);
  if (!parsed.success) return [refusedPart(place.path, received, whyNot(parsed.error))];
  const member = { ...place, given: parsed.data };
  return parsed.data.action === "attribute_update" ? yield* attributeParts(member) : [membershipPart(member)];
}

interface Member {
  readonly given: Audience;
  readonly identifiers: Identifiers;
  readonly path: string;
  readonly once: string;
  readonly context: MapContext;
}

function canBeCreated({ context }: Member): boolean {
  return context.settings.partners.cdpsync.canBeCreated ?? false;
}

function membershipPart(member: Member): Part {
  const { given, identifiers, path, once } = member;
  const listId = listIdOf(given.audience_subscription_settings);
  const body = { identifiers: [identifiers], ...present({ listId }) };
  // A list of ours that the settings name is not made; the audience's id decides all the same whether it is fed.
  if (given.action === "delete") {
    return { kind: "item", path, operation: "removeContactsFromList", body, list: listOf(given, false), once };
  }
  const added = { ...body, canBeCreated: canBeCreated(member) };
  const list = listOf(given, listId === undefined);
  return { kind: "item", path, operation: "addContactsToList", body: added, list, once };
}

function* attributeParts(member: Member): Sliced<readonly Part[]> {
  const { given, identifiers, path, once } = member;
  const { attributes, others } = yield* readAttributes(given.user_attributes, `${path}/user_attributes`);
  if (Object.keys(attributes).length === 0) {
    return others.length > 0 ? others : [passedOver(path, given, "The update contains no attribute.")];
  }
  const body = { identifiers, attributes, canBeCreated: canBeCreated(member), canBeUpdated: true };
  return [{ kind: "item", path, inner: "/attributes", operation: "upsertContact", body, once }, ...others];
}

/** Attributes of an update, those that are right; and the others, each with its reason. */
interface WrittenAttributes {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly others: readonly Part[];
}

/** Reads the attributes of an update: `upsert` sets, `delete` removes. */
function* readAttributes(given: unknown, path: string): Sliced<WrittenAttributes> {
  if (isAbsent(given)) return { attributes: {}, others: [] };
  if (!Array.isArray(given)) {
    return { attributes: {}, others: [refusedPart(path, given, "The attributes of an update must be an array.")] };
  }
  const attributes = new Map<string, unknown>();
  const others: Part[] = [];
  for (const [index, entry] of given.entries()) {
    if (others.length > PARTS_MAX) break;
    const read = readEntry(entry, `${path}/${index}`);
    if ("kind" in read) others.push(read);
    else attributes.set(read.key, read.value);
    if (index % ATTRIBUTES_PER_STEP === 0) yield;
  }
  return { attributes: Object.fromEntries(attributes), others };
}

function readEntry(entry: unknown, path: string): { readonly key: string; readonly value: unknown } | Part {
  if (!isMembers(entry)) return refusedPart(path, entry, "An attribute must be an object.");
  const parsed = safeParse(writtenAttribute, entry);
  if (!parsed.success) return refusedPart(path, entry, whyNot(parsed.error));
  const key = String(parsed.data.key);
  if (parsed.data.action === "delete") return { key, value: null };
  const { value, list_value: listValue } = entry;
  if (value === undefined && listValue === undefined) return refusedPart(path, entry, "`value` is required.");
  const written = isAbsent(listValue) ? value : listValue;
  // Senders write what is absent as null or as empty: it says nothing of the attribute.
  return isAbsent(written) ? passedOver(path, entry, "The attribute has no value.") : { key, value: written };
}
