import { operations } from "@headwater/intake/operations/registry";
import { z } from "zod";
import { usageError } from "../failure.ts";
import { addDryRun, parseWith } from "../options.ts";
import { addInput, readInput } from "../requests/readInput.ts";
import { showRequest } from "../requests/run.ts";
import { addTimeout } from "../requests/wait.ts";
import type { LeafCommand } from "./command.ts";
import { showAccepted } from "./listsMembers.ts";

const schema = z.object({ idempotencyKey: z.string().min(1).optional() });

export const ingestSend: LeafCommand = {
  usage: "send <operation>",
  summary: `Send one item: ${operations.map(({ name }) => name).join(", ")}.`,
  examples: [
    "headwater ingest send upsertContact -f contact.json --wait",
    "headwater ingest send upsertContact --set identifiers.email=ada@example.com --set attributes.country=GB --set-json canBeCreated=true",
  ],
  options: (command) =>
    addDryRun(
      addTimeout(
        addInput(command)
          .option("--idempotency-key <key>", "makes a retry of this command safe; default: a new key")
          .option("--wait", "wait until it is done, and show what became of its records"),
      ),
    ),
  async run(call, [typed = ""], input) {
    const { idempotencyKey } = parseWith(schema, input);
    const body = await readInput(call, input, []);
    if (body === undefined)
      throw usageError("Say what to send: -f <file>, -f - for standard input, or --set member=value.");
    const request = { method: "POST", path: `/api/${operationNamed(typed).name}`, body, idempotencyKey } as const;
    if (call.options.dryRun) return showRequest(call, request);
    await showAccepted(call, await call.service().request(request), input);
  },
};

/** @throws HeadwaterError `USAGE` that names those there are. */
export function operationNamed(typed: string): (typeof operations)[number] {
  const found = operations.find(({ name }) => name === typed);
  if (found !== undefined) return found;
  throw usageError(`Unknown operation ${typed}. Known operations: ${operations.map(({ name }) => name).join(", ")}.`);
}
