import type { Route } from "@headwater/http";
import type { AfterPorts, ServicePorts } from "../ports.ts";
import { createProducts } from "./createProducts/index.ts";
import { deleteProduct } from "./deleteProduct/index.ts";
import { getProduct } from "./getProduct/index.ts";
import { listProducts } from "./listProducts/index.ts";
import { updateProduct } from "./updateProduct/index.ts";

export function productRoutes(ports: AfterPorts & Pick<ServicePorts, "cursors" | "postgres">): Route[] {
  return [listProducts(ports), createProducts(ports), getProduct(ports), updateProduct(ports), deleteProduct(ports)];
}
