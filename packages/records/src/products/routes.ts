import type { AfterPorts } from "@headwater/api/ports";
import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { createProducts } from "./routes/createProducts.ts";
import { deleteProduct } from "./routes/deleteProduct.ts";
import { getProduct } from "./routes/getProduct.ts";
import { listProducts } from "./routes/listProducts.ts";
import { updateProduct } from "./routes/updateProduct.ts";

export function productRoutes(ports: AfterPorts & Pick<RoutePorts, "cursors" | "postgres">): Route[] {
  return [listProducts(ports), createProducts(ports), getProduct(ports), updateProduct(ports), deleteProduct(ports)];
}
