import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { createAttribute } from "../routes/createAttribute/index.ts";
import { deleteAttribute } from "../routes/deleteAttribute/index.ts";
import { getAttribute } from "../routes/getAttribute/index.ts";
import { listAttributes } from "../routes/listAttributes/index.ts";
import { listAttributevalues } from "../routes/listAttributevalues/index.ts";
import { updateAttribute } from "../routes/updateAttribute/index.ts";

export function attributeRoutes(ports: RoutePorts): Route[] {
  return [
    listAttributes(ports),
    createAttribute(ports),
    getAttribute(ports),
    updateAttribute(ports),
    deleteAttribute(ports),
    listAttributevalues(ports),
  ];
}
