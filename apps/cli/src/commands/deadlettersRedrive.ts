import { type JsonPatch, jsonPatch } from "@headwater/contracts";
import { countDeadLetters } from "@headwater/intake/deadLetters/deadLetterCounts";
import { type DeadLetterFilters, openDeadLetters } from "@headwater/intake/deadLetters/deadLetters";
import { createRedrive } from "@headwater/intake/deadLetters/redrives";
import { redriveTrial, tryRedrives } from "@headwater/intake/operations/redrive";
import { newJobId, safeParse, toDetails } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { z } from "zod";
import { accountOf } from "../accounts/accountBook.ts";
import { readDocument } from "../accounts/readDocument.ts";
import type { Call } from "../call.ts";
import { confirm } from "../confirm.ts";
import { addFilters, readWhose, selectionOf } from "../deadLetters/selection.ts";
import { usageError, validationError } from "../failure.ts";
import { addDryRun, addYes, parseWith } from "../options.ts";
import { showOne, showRows } from "../output/show.ts";
import type { LeafCommand } from "./command.ts";

const schema = z.object({ account: z.string().optional(), patch: z.string().optional() });
/** Author of the redrive in the history. */
const BY = "headwater deadletters redrive";
/** Scopes of an operator, who may repeat whatever intake took. */
const SCOPES = ["message-events"];

export const deadlettersRedrive: LeafCommand = {
  usage: "redrive [ids...]",
  summary: "Redrive rejected records to the log, each once, with the version of its original, optionally patched.",
  examples: [
    "headwater deadletters redrive VbZsDdSkFIHQqU5ESHo7:3:0 --account shop",
    "headwater deadletters redrive --account shop --code VALIDATION_ERROR --patch patch.json --dry-run",
    'echo \'[{"op":"add","path":"/canBeCreated","value":true}]\' | headwater deadletters redrive --account shop --operation upsertContact --patch - --yes',
  ],
  options: (command) =>
    addFilters(addDryRun(addYes(command))).option("--patch <file>", "JSON Patch on each payload, - for standard input"),
  async run(call, ids, input) {
    const typed = parseWith(schema, input);
    if (typed.account === undefined)
      throw usageError("--account is required: undecodable messages cannot be redriven.");
    const patch = typed.patch === undefined ? undefined : parsePatch(await readDocument(typed.patch, call.terminal));
    const account = typed.account;
    await call.connections.withPostgres((postgres) => redrive(call, postgres, { account, ids, given: input, patch }));
  },
};

function parsePatch(document: unknown): JsonPatch {
  const parsed = safeParse(jsonPatch, document);
  if (parsed.success) return parsed.data;
  throw validationError("The input is not a JSON Patch.", toDetails(parsed.error));
}

interface Typed {
  readonly account: string;
  readonly ids: readonly string[];
  readonly given: unknown;
  readonly patch: JsonPatch | undefined;
}

async function redrive(call: Call, postgres: Postgres, typed: Typed): Promise<void> {
  const whose = await readWhose(postgres, typed.given);
  const selection = selectionOf(typed.given, typed.ids, whose);
  const filters = { ...selection, account: whose.number };
  if (call.options.dryRun) return showTrial(call, postgres, typed, filters);
  const selected = await countDeadLetters(postgres, { ...filters, statuses: ["open"] });
  if (selected > 0 && !(await confirm(call, `Write ${selected} records again?`))) {
    return call.terminal.say("Nothing was changed.");
  }
  const jobId = newJobId();
  const { patch } = typed;
  await createRedrive(postgres, {
    id: jobId,
    account: whose.number,
    selection,
    patch: patch === undefined ? null : JSON.stringify(patch),
    scopes: SCOPES,
    madeBy: BY,
    createdAt: Date.now(),
    selected,
  });
  call.terminal.say("The projector writes them; headwater deadletters redrives shows how far it is.");
  showOne(call, { jobId, selected });
}

async function showTrial(
  call: Call,
  postgres: Postgres,
  typed: Typed,
  filters: Omit<DeadLetterFilters, "statuses">,
): Promise<void> {
  const account = await accountOf(postgres, typed.account);
  const context = { account, patch: typed.patch, scopes: SCOPES, nowMs: Date.now() };
  const deadLetters = openDeadLetters(postgres, filters, redriveTrial.judged);
  const { judged: validated, wouldPass, failures } = await tryRedrives(deadLetters, context);
  const bound = validated >= redriveTrial.judged ? " (no more are judged)" : "";
  call.terminal.say(`${validated} judged${bound}: ${wouldPass} would pass, these would fail:`);
  showRows(
    call,
    ["id", "code", "path", "message"],
    failures.map((failure) => ({ ...failure })),
  );
}
