import type { ServiceAnswer, ServiceRequest } from "@headwater/api-client";
import type { Command } from "commander";
import { z } from "zod";
import { readDocument } from "../accounts/readDocument.ts";
import type { Call } from "../call.ts";
import { usageError, validationError } from "../failure.ts";
import { addDryRun, addYes, parseWith } from "../options.ts";
import { showOne } from "../output/show.ts";
import { followReceipt } from "../requests/followReceipt.ts";
import { isListId, listId } from "../requests/listId.ts";
import { isMembers } from "../requests/readInput.ts";
import { showRequest } from "../requests/run.ts";
import { addTimeout, waitOf } from "../requests/wait.ts";
import type { LeafCommand } from "./command.ts";

/** Contacts of one request. */
const CONTACTS_MAX = 1_000;
const schema = z.object({
  file: z.string().optional(),
  create: z.boolean().default(false),
  idempotencyKey: z.string().min(1).optional(),
});

export const listsAdd: LeafCommand = {
  usage: "add <list> [contacts...]",
  summary: "Put contacts on a list, by its name or id: the answer is a receipt; --wait waits for its end.",
  examples: [
    "headwater lists add vip ada@example.com customer_id:17850 --wait",
    'headwater lists add vip -f contacts.json    # [{"email":"ada@example.com"},{"customer_id":17850}]',
  ],
  options: (command) => addMembers(command).option("--create", "create the contacts that are not there"),
  run: (call, args, input) => send(call, "add", { args, given: input }),
};

export const listsRemove: LeafCommand = {
  usage: "remove <list> [contacts...]",
  summary: "Take contacts off a list, by its name or id: the answer is a receipt; --wait waits for its end.",
  examples: ["headwater lists remove vip ada@example.com --wait"],
  options: (command) => addYes(addMembers(command)),
  run: (call, args, provided) => send(call, "remove", { args, given: provided }),
};

function addMembers(command: Command): Command {
  return addDryRun(
    addTimeout(
      command
        .option("-f, --file <file>", `a JSON list of up to ${CONTACTS_MAX} contacts' identifiers; - for standard input`)
        .option("--idempotency-key <key>", "makes a retry of this command safe; default: a new key")
        .option("--wait", "wait until it is done, and show what became of each contact"),
    ),
  );
}

async function send(
  call: Call,
  member: "add" | "remove",
  { args: [list = "", ...typed], given: received }: { readonly args: readonly string[]; readonly given: unknown },
): Promise<void> {
  const { create, idempotencyKey } = parseWith(schema, received);
  const identifiers = [...typed.map(toIdentifiers), ...(await fromFile(call, received))];
  if (identifiers.length === 0) throw usageError("Specify the contacts, or a file with -f.");
  if (identifiers.length > CONTACTS_MAX) throw usageError(`At most ${CONTACTS_MAX} contacts at once.`);
  // A dry run asks nobody for the id of a name.
  const id = isListId(list) || call.options.dryRun ? list : await listId.find(call.service(), list);
  const request: ServiceRequest = {
    method: "PUT",
    path: `/v2/accountlists/${encodeURIComponent(id)}/members`,
    body: { [member]: identifiers, ...(create && { canBeCreated: true }) },
    idempotencyKey,
  };
  if (call.options.dryRun) return showRequest(call, request);
  await showAccepted(call, await call.service().request(request), received);
}

/** Shows what intake answered, or with `--wait` what became of it. */
export async function showAccepted(call: Call, { body }: ServiceAnswer, given: unknown): Promise<void> {
  const { wait, timeoutMs } = waitOf(given);
  const accepted = isMembers(body) ? body : {};
  if (wait && typeof accepted.receipt === "string") {
    return followReceipt(call, call.service(), { receipt: accepted.receipt, timeoutMs });
  }
  showOne(call, accepted);
}

async function fromFile(call: Call, given: unknown): Promise<readonly unknown[]> {
  const { file } = parseWith(schema, given);
  if (file === undefined) return [];
  const document = await readDocument(file, call.terminal);
  if (Array.isArray(document)) return document;
  throw validationError(`${file} is no JSON list.`);
}

/** `name:value`, or an address alone. */
function toIdentifiers(typed: string): Record<string, string> {
  const [, name, value] = /^([A-Za-z][\w.]*):(.+)$/.exec(typed) ?? [];
  if (name !== undefined && value !== undefined) return { [name]: value };
  if (typed.includes("@")) return { email: typed };
  throw usageError(`${typed} does not say what it is: customer_id:${typed}, phone:${typed} or cID:${typed}?`);
}
