import { audienceLeaf } from "./audience.ts";
import { cartLeaf } from "./cart/leaf.ts";
import { eventLeaf } from "./event/leaf.ts";
import { fieldLeaf } from "./field/leaf.ts";
import type { LeafTable } from "./leaf.ts";
import { listLeaf } from "./list/leaf.ts";
import { orderLeaf } from "./order/leaf.ts";
import { sampleLeaf } from "./sample.ts";
import { supplementLeaf } from "./supplement/leaf.ts";

/** Every leaf of the language: parser, compiler, trends and the published grammar read this table, in its order. */
export const leaves: LeafTable = [
  fieldLeaf,
  listLeaf,
  eventLeaf,
  orderLeaf,
  audienceLeaf,
  cartLeaf,
  supplementLeaf,
  sampleLeaf,
];
