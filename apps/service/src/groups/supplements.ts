import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { clearSupplement } from "../routes/clearSupplement/index.ts";
import { createSupplement } from "../routes/createSupplement/index.ts";
import { createSupplementrecord } from "../routes/createSupplementrecord/index.ts";
import { deleteSupplement } from "../routes/deleteSupplement/index.ts";
import { deleteSupplementrecord } from "../routes/deleteSupplementrecord/index.ts";
import { getSupplement } from "../routes/getSupplement/index.ts";
import { getSupplementrecord } from "../routes/getSupplementrecord/index.ts";
import { listSupplementrecords } from "../routes/listSupplementrecords/index.ts";
import { listSupplements } from "../routes/listSupplements/index.ts";
import { updateSupplement } from "../routes/updateSupplement/index.ts";
import { updateSupplementrecord } from "../routes/updateSupplementrecord/index.ts";

export function supplementRoutes(ports: RoutePorts): Route[] {
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
