import { lanes, positionOfVersion, timeOfVersion } from "@headwater/contracts";
import type { LostChanges } from "@headwater/guard/consistency/lostChanges";
import { z } from "zod";

const frame = z.object({
  changes: z.array(
    z.looseObject({
      account: z.number(),
      contact: z.number().nullish(),
      version: z.string().optional(),
      cid: z.string().optional(),
      erased: z.boolean().optional(),
      mergedInto: z.number().optional(),
      aliases: z.array(z.number()).optional(),
      fields: z.array(z.array(z.unknown())).optional(),
      list: z.number().optional(),
      orderId: z.string().optional(),
      supplement: z.number().optional(),
      id: z.string().optional(),
    }),
  ),
});
type Change = z.output<typeof frame>["changes"][number];

/** A write of `/v2` that is in no log: the message cannot be decoded again. */
export interface LostWrite {
  readonly account: number;
  readonly topic: string;
  readonly key: string;
  readonly at: string;
  readonly isErasure: boolean;
}

export interface LostEvents {
  readonly lost: LostChanges;
  readonly writes: readonly LostWrite[];
}

/** Collects what lost change events were about. Sorted, so that the same events give the same text. */
export function collectLost(messages: readonly { readonly topic: string; readonly value: Buffer }[]): LostEvents {
  const changes = messages.flatMap(({ topic, value }) =>
    topic === "deadletters"
      ? []
      : frame.parse(JSON.parse(value.toString("utf8"))).changes.map((change) => ({ topic, change })),
  );
  const of = (topic: string) => changes.flatMap((one) => (one.topic === topic ? [one.change] : []));
  const contacts = of("changes.contacts");
  return {
    lost: {
      contacts: unique(contacts.flatMap(contactsOf)),
      contactVersions: unique(contacts.flatMap(contactVersionsOf)),
      memberships: unique(of("changes.memberships").map(membershipOf)),
      orders: unique(
        of("changes.orders").map(({ account, version = "", orderId = "" }) => ({ account, version, orderId })),
      ),
      carts: unique(
        of("changes.carts").map(({ account, version = "", contact }) => ({ account, version, contact: contact ?? 0 })),
      ),
      records: unique(of("changes.supplements").map(recordOf)),
    },
    writes: unique(changes.flatMap(({ topic, change }) => writeOf(topic, change))),
  };
}

function contactsOf({ account, contact, mergedInto, aliases = [] }: Change) {
  return [contact, mergedInto, ...aliases].flatMap((number) =>
    typeof number === "number" ? [{ account, number }] : [],
  );
}

/** Members may be of other versions than their contact. */
function contactVersionsOf({ account, contact, version = "", fields = [] }: Change) {
  const versions = new Set([version, ...fields.flatMap(([, , own]) => (typeof own === "string" ? [own] : []))]);
  return [...versions].map((one) => ({ account, contact: contact ?? 0, version: one }));
}

function membershipOf({ account, version = "", list = 0, contact }: Change) {
  return { account, version, list, contact: contact ?? 0 };
}

function recordOf({ account, version = "", supplement = 0, id = "" }: Change) {
  return { account, version, supplement, id };
}

function writeOf(topic: string, change: Change): LostWrite[] {
  const { account, version, erased = false } = change;
  if (version === undefined || positionOfVersion(version).lane !== lanes.v2) return [];
  const key = change.cid ?? change.orderId ?? change.id ?? `contact ${change.contact ?? ""}`;
  return [{ account, topic, key, at: new Date(timeOfVersion(version)).toISOString(), isErasure: erased }];
}

function unique<Key extends object>(keys: readonly Key[]): Key[] {
  const byText = new Map(keys.map((key) => [JSON.stringify(key), key]));
  return [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, key]) => key);
}
