import type { Route } from "@headwater/http";
import { createContactimport } from "./createContactimport/index.ts";
import { createOrdersimport } from "./createOrdersimport/index.ts";
import { createProductimport } from "./createProductimport/index.ts";
import { createSupplementimport } from "./createSupplementimport/index.ts";
import type { ImportPorts } from "./startImport.ts";

export function importRoutes(ports: ImportPorts): Route[] {
  return [
    createContactimport(ports),
    createOrdersimport(ports),
    createProductimport(ports),
    createSupplementimport(ports),
  ];
}
