import { type Sighting, sightingsOfCart, sightingsOfOrder } from "@headwater/contracts";
import type { Codec, LogFrame } from "@headwater/topics";
import { z } from "zod";

/** A sighting with whose product it is, and when its record was written: by that it is before a delete or after it. */
export interface PlacedSighting {
  readonly account: number;
  readonly version: string;
  readonly sighting: Sighting;
}

const shared = { account: z.number().int(), version: z.string() };
const items = z.looseObject({ items: z.unknown() });
const orderFrame = z.looseObject({
  changes: z.array(
    z.looseObject({ ...shared, purchasedAt: z.number().int(), order: items, deleted: z.boolean().optional() }),
  ),
});
const cartFrame = z.looseObject({ changes: z.array(z.looseObject({ ...shared, cart: items })) });

/** What the changes of orders or of carts say of products. @throws for a message that is not ours. */
export async function readSightings(
  topic: string,
  frames: readonly LogFrame[],
  codec: Pick<Codec, "decode">,
): Promise<PlacedSighting[]> {
  const sightings: PlacedSighting[] = [];
  for (const frame of frames) {
    const decoded = await codec.decode(frame.value);
    if (decoded.kind === "undecodable")
      throw new Error(`${topic} offset ${frame.offset} is not ours: ${decoded.reason}`);
    for (const one of topic === "changes.orders" ? ofOrders(decoded.value) : ofCarts(decoded.value))
      sightings.push(one);
  }
  return sightings;
}

function ofOrders(value: unknown): PlacedSighting[] {
  const there = orderFrame.parse(value).changes.filter(({ deleted }) => deleted !== true);
  return there.flatMap((change) => place(change, sightingsOfOrder(change)));
}

function ofCarts(value: unknown): PlacedSighting[] {
  return cartFrame.parse(value).changes.flatMap((change) => place(change, sightingsOfCart(change)));
}

function place(
  { account, version }: { readonly account: number; readonly version: string },
  sightings: readonly Sighting[],
): PlacedSighting[] {
  return sightings.map((sighting) => ({ account, version, sighting }));
}
