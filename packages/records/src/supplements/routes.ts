import type { AfterPorts } from "@headwater/api/ports";
import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { clearSupplement } from "./routes/clearSupplement.ts";
import { createSupplement } from "./routes/createSupplement.ts";
import { createSupplementrecord } from "./routes/createSupplementrecord.ts";
import { deleteSupplement } from "./routes/deleteSupplement.ts";
import { deleteSupplementrecord } from "./routes/deleteSupplementrecord.ts";
import { getSupplement } from "./routes/getSupplement.ts";
import { getSupplementrecord } from "./routes/getSupplementrecord.ts";
import { listSupplementrecords } from "./routes/listSupplementrecords.ts";
import { listSupplements } from "./routes/listSupplements.ts";
import { updateSupplement } from "./routes/updateSupplement.ts";
import { updateSupplementrecord } from "./routes/updateSupplementrecord.ts";

export function supplementRoutes(ports: AfterPorts & Pick<RoutePorts, "cursors" | "postgres" | "queue">): Route[] {
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
