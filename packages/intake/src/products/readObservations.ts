import { classifyFailure } from "@headwater/kernel";
import type { OffsetKey } from "@headwater/postgres/streams/streamOffsets";
import { observationsOfCart, observationsOfOrder } from "@headwater/records/products/observations";
import type { ProductObservation } from "@headwater/records/products/product";
import type { Codec, LogFrame } from "@headwater/topics";
import { z } from "zod";
import { type ChangePosition, changeDeadLetter } from "../quarantine/changeDeadLetter.ts";
import type { Poison } from "../quarantine/quarantine.ts";

/** An observation with whose product it is, and when its record was written: by that it is before a delete or after it. */
export interface LocatedObservation {
  readonly account: number;
  readonly version: string;
  readonly observation: ProductObservation;
}

/** Products that one change event names. */
export interface SeenChange {
  readonly account: number;
  readonly observations: readonly LocatedObservation[];
  readonly at: ChangePosition;
}

export interface SeenChanges {
  readonly seen: readonly SeenChange[];
  /** Foreign parts: a whole message, or some of its members. */
  readonly poison: readonly Poison[];
}

/** Accounts are numbered by an int of Postgres. */
const account = z
  .number()
  .int()
  .min(1)
  .max(2 ** 31 - 1);
const shared = { account, version: z.string() };
const items = z.looseObject({ items: z.unknown() });
const frameShape = z.looseObject({ changes: z.array(z.unknown()) });
const orderChange = z.looseObject({
  ...shared,
  purchasedAt: z.number().int(),
  order: items,
  deleted: z.boolean().optional(),
});
const cartChange = z.looseObject({ ...shared, cart: items });
/** A whole message is in Kafka; the dead letter shows how it begins. */
const DISPLAYED_BYTES_MAX = 48 * 1024;

/** Reads what the changes of orders or of carts say of products. @throws HeadwaterError 503, retriable, when the registry is away. */
export async function readObservations(
  key: OffsetKey,
  frames: readonly LogFrame[],
  codec: Pick<Codec, "decode">,
): Promise<SeenChanges> {
  const seen: SeenChange[] = [];
  const poison: Poison[] = [];
  for (const frame of frames) {
    const { offset, timeMs } = frame;
    const changes = await readFrame(frame, { codec, topic: key.topic });
    if (changes === undefined) {
      const value = frame.value.toString("base64", 0, DISPLAYED_BYTES_MAX);
      poison.push(
        toPoison(key, { offset, timeMs, place: -1, value }, new TypeError("the message contains no changes")),
      );
    }
    for (const [index, value] of (changes ?? []).entries()) {
      const at = { offset, timeMs, place: index, value };
      try {
        seen.push({ ...observationsOf(key.topic, value), at });
      } catch (error) {
        if (classifyFailure(error) !== "poison") throw error;
        poison.push(toPoison(key, at, error));
      }
    }
  }
  return { seen, poison };
}

export function toPoison(key: OffsetKey, at: ChangePosition, error: unknown): Poison {
  return { offset: at.offset, place: at.place, letter: changeDeadLetter(key, at), error };
}

async function readFrame(
  { value }: LogFrame,
  { codec, topic }: { readonly codec: Pick<Codec, "decode">; readonly topic: string },
): Promise<readonly unknown[] | undefined> {
  const decoded = await codec.decode(value, topic);
  const frame = decoded.kind === "undecodable" ? undefined : frameShape.safeParse(decoded.value);
  return frame?.success === true ? frame.data.changes : undefined;
}

function observationsOf(topic: string, value: unknown): Omit<SeenChange, "at"> {
  if (topic !== "changes.orders") {
    const change = cartChange.parse(value);
    return { account: change.account, observations: position(change, observationsOfCart(change)) };
  }
  const change = orderChange.parse(value);
  const observations = change.deleted === true ? [] : observationsOfOrder(change);
  return { account: change.account, observations: position(change, observations) };
}

function position(
  { account, version }: { readonly account: number; readonly version: string },
  observations: readonly ProductObservation[],
): LocatedObservation[] {
  return observations.map((observation) => ({ account, version, observation }));
}
