import { type Sliced, safeParse } from "@headwater/kernel";
import type { MapContext } from "../../endpoint.ts";
import { type Identifiers, refusedIdentities, whyUnidentified } from "../../identity.ts";
import { PARTS_MAX, type Part, type Push, passedOver, refusedPart } from "../../push.ts";
import { idText, isAbsent, isMembers, present, textOf } from "../../reading.ts";
import { answerTo } from "../envelope.ts";
import { identitiesOf } from "../identities.ts";
import { listIdOf, listOf } from "../list.ts";
import { type Audience, audience, type Body } from "./schema.ts";

/** Every audience of every profile by itself, in the order of the message. */
export function* map(message: Body, context: MapContext): Sliced<Push> {
  const parts: Part[] = [];
  for (const [index, profile] of (message.user_profiles ?? []).entries()) {
    if (parts.length > PARTS_MAX) break;
    const given = { profile, path: `/user_profiles/${index}`, once: `${idText(message.id)}/${index}`, context };
    for (const part of yield* profileParts(given)) parts.push(part);
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
  const audiences: readonly unknown[] = Array.isArray(profile.audiences) ? profile.audiences : [];
  const parts: Part[] = [];
  for (const [index, given] of audiences.slice(0, PARTS_MAX).entries()) {
    parts.push(partOf(given, { identifiers, path: `${path}/audiences/${index}`, once: `${once}/${index}`, context }));
    if (index % AUDIENCES_PER_STEP === 0) yield;
  }
  return parts.concat(refusedIdentities(`${path}/user_identities`, identities));
}

function partOf(given: unknown, place: Omit<Member, "given">): Part {
  const parsed = safeParse(audience, given);
  if (parsed.success) return audiencePart({ ...place, given: parsed.data });
  return refusedPart(place.path, given, `${parsed.error.issues[0]?.path.join("/")} is missing or invalid.`);
}

interface Member {
  readonly given: Audience;
  readonly identifiers: Identifiers;
  readonly path: string;
  readonly once: string;
  readonly context: MapContext;
}

function audiencePart(member: Member): Part {
  const { given, identifiers, path, once, context } = member;
  const canBeCreated = context.settings.partners.cdpsync.canBeCreated ?? false;
  const listId = listIdOf(given.audience_subscription_settings);
  const target = present({ listId });
  // A list of ours that the settings name is not made; the audience's id decides all the same whether it is fed.
  switch (given.action) {
    case "add": {
      const list = listOf(given, listId === undefined);
      const body = { identifiers: [identifiers], canBeCreated, ...target };
      return { kind: "item", path, operation: "addContactsToList", body, list, once };
    }
    case "delete": {
      const body = { identifiers: [identifiers], ...target };
      return { kind: "item", path, operation: "removeContactsFromList", body, list: listOf(given, false), once };
    }
    case "attribute_update":
      return attributePart(member, canBeCreated);
  }
}

function attributePart({ given, identifiers, path, once }: Member, canBeCreated: boolean): Part {
  const attributes = attributesOf(given.user_attributes);
  if (Object.keys(attributes).length === 0) return passedOver(path, given, "The update contains no attribute.");
  const body = { identifiers, attributes, canBeCreated, canBeUpdated: true };
  return { kind: "item", path, inner: "/attributes", operation: "upsertContact", body, once };
}

/** `upsert` sets, `delete` removes; an entry without a key, or without a value to set, says nothing. */
function attributesOf(given: unknown): Record<string, unknown> {
  const entries = (Array.isArray(given) ? given : []).filter(isMembers).flatMap((entry) => {
    const key = textOf(entry.key);
    if (key === undefined) return [];
    if (textOf(entry.action)?.toLowerCase() === "delete") return [[key, null] as const];
    const value = entry.list_value ?? entry.value;
    return isAbsent(value) ? [] : [[key, value] as const];
  });
  return Object.fromEntries(entries);
}
