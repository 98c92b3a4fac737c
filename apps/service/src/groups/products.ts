import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { createProducts } from "../routes/createProducts/index.ts";
import { deleteProduct } from "../routes/deleteProduct/index.ts";
import { getProduct } from "../routes/getProduct/index.ts";
import { listProducts } from "../routes/listProducts/index.ts";
import { updateProduct } from "../routes/updateProduct/index.ts";

export function productRoutes(ports: RoutePorts): Route[] {
  return [listProducts(ports), createProducts(ports), getProduct(ports), updateProduct(ports), deleteProduct(ports)];
}
