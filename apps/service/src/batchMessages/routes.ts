import type { Route } from "@headwater/http";
import type { RenderPorts } from "../messages/renderStored.ts";
import type { AfterPorts, ServicePorts } from "../ports.ts";
import { createBatchmessage } from "./createBatchmessage/index.ts";
import { deleteBatchmessage } from "./deleteBatchmessage/index.ts";
import { getBatchmessage } from "./getBatchmessage/index.ts";
import { listBatchmessages } from "./listBatchmessages/index.ts";
import type { MessagePorts } from "./messagePorts.ts";
import { renderBatchmessage } from "./renderBatchmessage/index.ts";
import { updateBatchmessage } from "./updateBatchmessage/index.ts";

export function batchMessageRoutes(
  ports: AfterPorts & MessagePorts & RenderPorts & Pick<ServicePorts, "cursors">,
): Route[] {
  return [
    listBatchmessages(ports),
    createBatchmessage(ports),
    getBatchmessage(ports),
    updateBatchmessage(ports),
    deleteBatchmessage(ports),
    renderBatchmessage(ports),
  ];
}
