import { whyUnidentified } from "../../identity.ts";
import { type Part, refusedPart } from "../../push.ts";
import { isMembers } from "../../reading.ts";
import { identitiesOf } from "../identities.ts";
import { contactOf, type PlacedEvent, type Subject } from "./subject.ts";

/** Attributes of the contact are written, and it is created if it may be. */
export function attributeParts(
  subject: Subject,
  attributes: object,
  { path, once }: { readonly path: string; readonly once: string },
): Part[] {
  const body = { ...contactOf(subject), attributes, canBeUpdated: true };
  return [{ kind: "item", path, inner: "/attributes", operation: "upsertContact", body, once }];
}

/** An identity that came to the profile is attached to its contact. */
export function identityParts({ event, path, once, subject, context }: PlacedEvent): readonly Part[] {
  const added = [event.added, event.new, event.user_identities].flat().filter(isMembers);
  const identities = identitiesOf(added, context);
  const identifiers = { ...identities.identifiers, ...subject.identifiers };
  const reason = whyUnidentified(context.settings, { ...identities, identifiers });
  if (reason !== undefined) return [refusedPart(path, event, reason.message, reason.code)];
  const body = { ...contactOf({ ...subject, identifiers }) };
  const refused = identities.refused.map(({ message, code, part }) => refusedPart(path, part, message, code));
  return [{ kind: "item", path, operation: "upsertContact", body, once }, ...refused];
}
