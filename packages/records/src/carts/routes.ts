import type { AfterPorts } from "@headwater/api/ports";
import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { addCartitem } from "./routes/addCartitem.ts";
import { clearCart } from "./routes/clearCart.ts";
import { getCart } from "./routes/getCart.ts";
import { removeCartitem, removeCartitemOfSku } from "./routes/removeCartitem.ts";
import { setCart } from "./routes/setCart.ts";
import { updateCart } from "./routes/updateCart.ts";

export function cartRoutes(ports: AfterPorts & Pick<RoutePorts, "postgres">): Route[] {
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
