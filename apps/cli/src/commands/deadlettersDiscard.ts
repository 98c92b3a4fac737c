import { countDeadLetters } from "@headwater/intake/deadLetters/deadLetterCounts";
import { discardDeadLetters } from "@headwater/intake/deadLetters/deadLetters";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { z } from "zod";
import { noteOperator } from "../accounts/noteOperator.ts";
import type { Call } from "../call.ts";
import { confirm } from "../confirm.ts";
import { addFilters, NOBODYS, readWhose, selectionOf } from "../deadLetters/selection.ts";
import { addDryRun, addYes, parseWith } from "../options.ts";
import { showOne } from "../output/show.ts";
import type { LeafCommand } from "./command.ts";

const schema = z.object({ reason: z.string().min(1) });
/** Author of the discard in the history. */
const BY = "headwater deadletters discard";

export const deadlettersDiscard: LeafCommand = {
  usage: "discard [ids...]",
  summary: "Close rejected records without redriving them.",
  examples: [
    'headwater deadletters discard VbZsDdSkFIHQqU5ESHo7:3:0 --account shop --reason "a test"',
    'headwater deadletters discard --undecodable --to 2026-01-09 --reason "an old sender" --yes',
  ],
  options: (command) =>
    addFilters(addDryRun(addYes(command))).requiredOption("--reason <text>", "why, for who looks at them later"),
  run: (call, ids, input) =>
    call.connections.withPostgres((postgres) => discard(call, postgres, { ids, given: input })),
};

interface Typed {
  readonly ids: readonly string[];
  readonly given: unknown;
}

async function discard(call: Call, postgres: Postgres, { ids, given: provided }: Typed): Promise<void> {
  const { reason } = parseWith(schema, provided);
  const whose = await readWhose(postgres, provided);
  const filters = { ...selectionOf(provided, ids, whose), account: whose.number };
  const selected = await countDeadLetters(postgres, { ...filters, statuses: ["open"] });
  if (call.options.dryRun) return showOne(call, { selected });
  if (selected > 0 && !(await confirm(call, `Close ${selected} dead letters without redriving them?`))) {
    return call.terminal.say("Nothing was changed.");
  }
  const discarded = await discardDeadLetters(postgres, filters, { reason, by: BY, at: Date.now() });
  const message = "Discards a selection of rejected records without redriving them.";
  const act = { account: whose.number, action: "discardDeadletters", message };
  if (whose.number !== NOBODYS) await noteOperator(postgres, act);
  showOne(call, { discarded });
}
