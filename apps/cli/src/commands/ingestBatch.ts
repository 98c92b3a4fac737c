import { z } from "zod";
import { inputName } from "../accounts/readDocument.ts";
import type { Call } from "../call.ts";
import { usageError } from "../failure.ts";
import { addDryRun, parseWith } from "../options.ts";
import { checkFields } from "../output/fields.ts";
import type { Row } from "../output/formats.ts";
import { createRowWriter } from "../output/rowWriter.ts";
import { pick } from "../output/show.ts";
import { batchesOf } from "../requests/batches.ts";
import { isMembers } from "../requests/readInput.ts";
import { addTimeout, waitOf } from "../requests/wait.ts";
import type { LeafCommand } from "./command.ts";
import { operationNamed } from "./ingestSend.ts";

const schema = z.object({ file: z.string(), idempotencyKey: z.string().min(1).optional() });
const COLUMNS = ["batch", "items", "accepted", "rejected", "state", "receipt"];
/** Refusals of one batch shown on standard error. */
const REFUSALS_DISPLAYED = 10;

export const ingestBatch: LeafCommand = {
  usage: "batch <operation>",
  summary: "Send items, one JSON object per line, in batches as large as intake accepts; exit 1 if one was refused.",
  examples: [
    "headwater ingest batch upsertContact -f contacts.ndjson",
    "zcat orders.ndjson.gz | headwater ingest batch upsertOrder -f - --idempotency-key orders-2026-01-09 --wait",
  ],
  options: (command) =>
    addDryRun(
      addTimeout(
        command
          .requiredOption("-f, --file <file>", "NDJSON; - for standard input")
          .option("--idempotency-key <key>", "makes a repeat with the same file harmless; default: a new one")
          .option("--wait", "wait for each batch until it is done"),
      ),
    ),
  async run(call, [typed = ""], input) {
    const operation = operationNamed(typed);
    const { file, idempotencyKey } = parseWith(schema, input);
    const { fields } = call.options;
    if (fields !== undefined) checkFields(fields, [...COLUMNS, "records.**"]);
    const writer = createRowWriter(call, fields ?? COLUMNS);
    let sent = 0;
    try {
      for await (const items of batchesOf(call.terminal, file, operation.batchItemsMax)) {
        const batch = sent + 1;
        const key = idempotencyKey === undefined ? undefined : `${idempotencyKey}-${batch}`;
        const row = await sendBatch(call, { operation: operation.name, batch, items, key, given: input });
        writer.write([fields === undefined ? row : pick(row, fields)]);
        sent = batch;
      }
    } finally {
      // What was sent before a line that is not JSON stands there whole, with its receipts.
      if (sent > 0) writer.end();
    }
    if (sent === 0) throw usageError(`${inputName(file)} holds no items.`);
  },
};

interface Batch {
  readonly operation: string;
  readonly batch: number;
  readonly items: readonly unknown[];
  readonly key: string | undefined;
  readonly given: unknown;
}

async function sendBatch(call: Call, { operation, batch, items, key, given: provided }: Batch): Promise<Row> {
  const summary = { batch, items: items.length };
  if (call.options.dryRun) return { ...summary, state: "not sent" };
  const service = call.service();
  const path = `/api/${operation}/batch`;
  const answer = await service.request({ method: "POST", path, body: { items }, idempotencyKey: key });
  const { accepted, rejected, receipt, items: results } = isMembers(answer.body) ? answer.body : {};
  if (rejected !== 0 && rejected !== undefined) call.fail();
  sayRefusals(call, batch, results);
  const { wait, timeoutMs } = waitOf(provided);
  if (!wait || typeof receipt !== "string") return { ...summary, accepted, rejected, state: "accepted", receipt };
  const { state, records } = await service.waitForReceipt(receipt, { timeoutMs });
  if (state !== "applied") call.fail();
  return { ...summary, accepted, rejected, state, records, receipt };
}

function sayRefusals({ terminal }: Call, batch: number, outcomes: unknown): void {
  const refused = (Array.isArray(outcomes) ? outcomes.filter(isMembers) : []).filter(
    ({ status }) => status === "rejected",
  );
  for (const { index, path, code, message } of refused.slice(0, REFUSALS_DISPLAYED)) {
    terminal.say(`batch ${batch}, item ${String(index)}: ${String(code)} ${String(path ?? "")} ${String(message)}`);
  }
  if (refused.length > REFUSALS_DISPLAYED) terminal.say(`batch ${batch}: ${refused.length - REFUSALS_DISPLAYED} more`);
}
