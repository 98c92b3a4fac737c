import type { Route } from "@headwater/http";
import type { AfterPorts, RoutePorts } from "../ports.ts";
import { createAttribute } from "./createAttribute/index.ts";
import { deleteAttribute } from "./deleteAttribute/index.ts";
import { getAttribute } from "./getAttribute/index.ts";
import { listAttributes } from "./listAttributes/index.ts";
import { listAttributevalues } from "./listAttributevalues/index.ts";
import { updateAttribute } from "./updateAttribute/index.ts";

export function attributeRoutes(
  ports: AfterPorts &
    Pick<RoutePorts, "attributeRules" | "clickHouse" | "cursors" | "freshness" | "postgres" | "queue">,
): Route[] {
  return [
    listAttributes(ports),
    createAttribute(ports),
    getAttribute(ports),
    updateAttribute(ports),
    deleteAttribute(ports),
    listAttributevalues(ports),
  ];
}
