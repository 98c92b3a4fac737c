import type { Property, Window } from "../../criteria.ts";

export interface CartLeaf {
  readonly kind: "cart";
  readonly path: string;
  /** `empty` is everybody without a cart that has lines and has not expired; with `within`, which stored criteria may have, those of them who have a cart. */
  readonly state: "nonEmpty" | "empty";
  readonly where: readonly Property[];
  /** All hold on one line. */
  readonly items: readonly Property[];
  /** Bounds the cart's last change. */
  readonly within?: Window;
}
