import type { AfterPorts } from "@headwater/api/ports";
import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import type { SendPorts } from "./messagePorts.ts";
import { createBatchmessage } from "./routes/createBatchmessage.ts";
import { deleteBatchmessage } from "./routes/deleteBatchmessage.ts";
import { getBatchmessage } from "./routes/getBatchmessage.ts";
import { getExperimentperformance } from "./routes/getExperimentperformance.ts";
import { listBatchmessages } from "./routes/listBatchmessages.ts";
import { listBatchmessagesends } from "./routes/listBatchmessagesends.ts";
import { renderBatchmessage } from "./routes/renderBatchmessage.ts";
import { retryBatchmessagesends } from "./routes/retryBatchmessagesends.ts";
import { sendBatchmessage } from "./routes/sendBatchmessage.ts";
import { sendTestBatchmessage } from "./routes/sendTestBatchmessage.ts";
import { stateCall } from "./routes/stateCalls.ts";
import { updateBatchmessage } from "./routes/updateBatchmessage.ts";

export function batchMessageRoutes(
  ports: AfterPorts & SendPorts & Pick<RoutePorts, "freshness"> & Pick<RoutePorts, "cursors">,
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
