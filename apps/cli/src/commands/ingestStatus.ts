import { z } from "zod";
import { parseWith } from "../options.ts";
import { followReceipt, showReceipt } from "../requests/followReceipt.ts";
import { isMembers } from "../requests/readInput.ts";
import { addTimeout, waitOf } from "../requests/wait.ts";
import type { LeafCommand } from "./command.ts";

const schema = z.object({ cursor: z.string().optional() });

export const ingestStatus: LeafCommand = {
  usage: "status <receipt>",
  summary: "Show the outcome of a receipt's records; exit 1 if one was rejected.",
  examples: ["headwater ingest status $RECEIPT", "headwater ingest status $RECEIPT --wait --timeout 60 --json"],
  options: (command) =>
    addTimeout(
      command
        .option("--wait", "wait until no record is pending")
        .option("--cursor <next>", "further rejections, from the member `next` of the answer before"),
    ),
  async run(call, [receipt = ""], input) {
    const { wait, timeoutMs } = waitOf(input);
    const service = call.service();
    if (wait) return followReceipt(call, service, { receipt, timeoutMs });
    const { cursor } = parseWith(schema, input);
    const { body } = await service.call("getReceipt", { path: [receipt], query: { cursor } });
    showReceipt(call, isMembers(body) ? body : {});
  },
};
