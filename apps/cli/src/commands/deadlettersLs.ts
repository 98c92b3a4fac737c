import { type DeadLetter, type DeadLetterFilters, pageDeadLetters } from "@headwater/intake/deadLetters/deadLetters";
import type { Session } from "@headwater/postgres/connection/session";
import { InvalidArgumentError } from "commander";
import { z } from "zod";
import { DEAD_LETTER_COLUMNS, toDeadLetterRow } from "../deadLetters/deadLetterRow.ts";
import { addFilters, addStatus, filtersOf, readWhose } from "../deadLetters/selection.ts";
import { parseWith } from "../options.ts";
import { showRows } from "../output/show.ts";
import type { LeafCommand } from "./command.ts";

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 100_000;
const ROWS_AT_A_TIME = 500;
const schema = z.object({ limit: z.number().default(LIMIT_DEFAULT) });

export const deadlettersLs: LeafCommand = {
  usage: "ls",
  summary: "List rejected records, the latest first.",
  examples: [
    "headwater deadletters ls --account shop",
    "headwater deadletters ls --account shop --code VALIDATION_ERROR --from 2026-01-09 -o ndjson --limit 1000",
    "headwater deadletters ls --undecodable",
  ],
  options: (command) =>
    addStatus(addFilters(command)).option("--limit <n>", `at most so many (default ${LIMIT_DEFAULT})`, parseLimit),
  async run(call, _args, input) {
    const { limit } = parseWith(schema, input);
    const deadLetters = await call.connections.withPostgres(async (postgres) =>
      readDeadLetters(postgres, filtersOf(input, await readWhose(postgres, input)), limit),
    );
    showRows(call, DEAD_LETTER_COLUMNS, deadLetters.map(toDeadLetterRow));
  },
};

async function readDeadLetters(session: Session, filters: DeadLetterFilters, limit: number): Promise<DeadLetter[]> {
  const letters: DeadLetter[] = [];
  for (let isMore = true; isMore && letters.length < limit; ) {
    const rowsMax = Math.min(ROWS_AT_A_TIME, limit - letters.length);
    const after = letters.at(-1);
    const page = await pageDeadLetters(session, { ...filters, direction: "desc", rowsMax, ...(after && { after }) });
    letters.push(...page);
    isMore = page.length === rowsMax;
  }
  return letters;
}

function parseLimit(typed: string): number {
  const count = /^[1-9]\d{0,8}$/.test(typed) ? Number(typed) : 0;
  if (count >= 1 && count <= LIMIT_MAX) return count;
  throw new InvalidArgumentError(`It is a whole number from 1 to ${LIMIT_MAX}.`);
}
