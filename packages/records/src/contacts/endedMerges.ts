import type { Cart } from "../carts/cart.ts";
import type { StoredMerge } from "./storedMerge.ts";
import { restoreMembers } from "./undoMerge.ts";

/**
 * A merge whose survivor had absorbed another contact before, which has gone its own way since: what that one had brought is no
 * longer the survivor's to get back.
 */
export function withoutEnded(merge: StoredMerge, ended: StoredMerge): StoredMerge {
  const { before } = merge;
  restoreMembers(before.survivor, ended.before, ended.before.explicit === undefined ? undefined : ended.version);
  const ownMemberships = before.ownMemberships.flatMap((own) => {
    const brought = ended.before.memberships.find(({ list }) => list === own.list);
    if (brought?.version !== own.version) return [own];
    return ended.before.ownMemberships.filter(({ list }) => list === own.list);
  });
  const { merged, survivor } = ended.before.carts;
  const isBrought = merged !== undefined && isSameCart(before.carts.survivor, merged);
  const { survivor: _brought, ...theirs } = before.carts;
  const carts = isBrought ? { ...theirs, ...(survivor && { survivor }) } : before.carts;
  return { ...merge, before: { ...before, ownMemberships, carts } };
}

export function isSameCart(now: Cart | undefined, then: Cart): boolean {
  const text = ({ version, members, expiresAt, lines }: Cart) => JSON.stringify([version, members, expiresAt, lines]);
  return now !== undefined && text(now) === text(then);
}
