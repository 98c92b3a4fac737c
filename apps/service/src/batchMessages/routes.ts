import type { Route } from "@headwater/http";
import type { AfterPorts, RoutePorts, ServicePorts } from "../ports.ts";
import { createBatchmessage } from "./createBatchmessage/index.ts";
import { deleteBatchmessage } from "./deleteBatchmessage/index.ts";
import { getBatchmessage } from "./getBatchmessage/index.ts";
import { getExperimentperformance } from "./getExperimentperformance/index.ts";
import { listBatchmessages } from "./listBatchmessages/index.ts";
import { listBatchmessagesends } from "./listBatchmessagesends/index.ts";
import type { SendPorts } from "./messagePorts.ts";
import { renderBatchmessage } from "./renderBatchmessage/index.ts";
import { retryBatchmessagesends } from "./retryBatchmessagesends/index.ts";
import { sendBatchmessage } from "./sendBatchmessage/index.ts";
import { sendTestBatchmessage } from "./sendTestBatchmessage/index.ts";
import { stateCall } from "./stateCalls/index.ts";
import { updateBatchmessage } from "./updateBatchmessage/index.ts";

export function batchMessageRoutes(
  ports: AfterPorts & SendPorts & Pick<RoutePorts, "freshness"> & Pick<ServicePorts, "cursors">,
): Route[] {
  return [
    listBatchmessages(ports),
    createBatchmessage(ports),
    getBatchmessage(ports),
    getExperimentperformance(ports),
    updateBatchmessage(ports),
    deleteBatchmessage(ports),
    renderBatchmessage(ports),
    listBatchmessagesends(ports),
    retryBatchmessagesends(ports),
    sendBatchmessage(ports),
    sendTestBatchmessage(ports),
    stateCall("pause", ports),
    stateCall("resume", ports),
    stateCall("cancel", ports),
    stateCall("unschedule", ports),
  ];
}
