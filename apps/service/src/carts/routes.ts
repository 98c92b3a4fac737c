import type { Route } from "@headwater/http";
import type { AfterPorts, ServicePorts } from "../ports.ts";
import { addCartitem } from "./addCartitem/index.ts";
import { clearCart } from "./clearCart/index.ts";
import { getCart } from "./getCart/index.ts";
import { removeCartitem, removeCartitemOfSku } from "./removeCartitem/index.ts";
import { setCart } from "./setCart/index.ts";
import { updateCart } from "./updateCart/index.ts";

export function cartRoutes(ports: AfterPorts & Pick<ServicePorts, "postgres">): Route[] {
  return [
    getCart(ports),
    setCart(ports),
    updateCart(ports),
    clearCart(ports),
    addCartitem(ports),
    removeCartitem(ports),
    removeCartitemOfSku(ports),
  ];
}
