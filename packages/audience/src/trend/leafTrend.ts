import { isEverybodyElse } from "../compile/cartLeaf.ts";
import { fieldLeaf } from "../compile/fieldLeaf.ts";
import type { LeafSet } from "../compile/leafSet.ts";
import type { Scope } from "../compile/scope.ts";
import type { AudienceLeaf, CriteriaLeaf } from "../nodes.ts";
import { cartTrend } from "./cartTrend.ts";
import { sampleTrend } from "./contactTrend.ts";
import { eventTrend } from "./eventTrend.ts";
import { listTrend } from "./listTrend.ts";
import { orderTrend } from "./orderTrend.ts";
import type { Points } from "./points.ts";
import { supplementTrend } from "./supplementTrend.ts";

/** The points at which a leaf holds, of each contact. */
export function leafTrend(leaf: Exclude<CriteriaLeaf, AudienceLeaf>, scope: Scope, points: Points): LeafSet {
  switch (leaf.kind) {
    case "field":
      return fieldLeaf(leaf, scope);
    case "list":
      return { set: listTrend(leaf, scope, points), complement: !leaf.member };
    case "event":
      return eventTrend(leaf, scope, points);
    case "order":
      return orderTrend(leaf, scope, points);
    case "cart":
      return { set: cartTrend(leaf, scope, points), complement: isEverybodyElse(leaf) };
    case "supplement":
      return supplementTrend(leaf, scope, points);
    case "sample":
      return { set: sampleTrend(leaf, scope, points), complement: false };
  }
}
