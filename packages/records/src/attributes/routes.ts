import type { AfterPorts } from "@headwater/api/ports";
import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { createAttribute } from "./routes/createAttribute.ts";
import { deleteAttribute } from "./routes/deleteAttribute.ts";
import { getAttribute } from "./routes/getAttribute.ts";
import { listAttributes } from "./routes/listAttributes.ts";
import { listAttributevalues } from "./routes/listAttributevalues.ts";
import { updateAttribute } from "./routes/updateAttribute.ts";

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
