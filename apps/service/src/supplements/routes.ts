import type { Route } from "@headwater/http";
import type { AfterPorts, ServicePorts } from "../ports.ts";
import { clearSupplement } from "./clearSupplement/index.ts";
import { createSupplement } from "./createSupplement/index.ts";
import { createSupplementrecord } from "./createSupplementrecord/index.ts";
import { deleteSupplement } from "./deleteSupplement/index.ts";
import { deleteSupplementrecord } from "./deleteSupplementrecord/index.ts";
import { getSupplement } from "./getSupplement/index.ts";
import { getSupplementrecord } from "./getSupplementrecord/index.ts";
import { listSupplementrecords } from "./listSupplementrecords/index.ts";
import { listSupplements } from "./listSupplements/index.ts";
import { updateSupplement } from "./updateSupplement/index.ts";
import { updateSupplementrecord } from "./updateSupplementrecord/index.ts";

export function supplementRoutes(ports: AfterPorts & Pick<ServicePorts, "cursors" | "postgres" | "queue">): Route[] {
  return [
    listSupplements(ports),
    createSupplement(ports),
    getSupplement(ports),
    updateSupplement(ports),
    deleteSupplement(ports),
    clearSupplement(ports),
    listSupplementrecords(ports),
    createSupplementrecord(ports),
    getSupplementrecord(ports),
    updateSupplementrecord(ports),
    deleteSupplementrecord(ports),
  ];
}
