import { readDeadLetter } from "@headwater/intake/deadLetters/deadLetters";
import { HeadwaterError } from "@headwater/kernel";
import { toDeadLetterRow } from "../deadLetters/deadLetterRow.ts";
import { addWhose, readWhose } from "../deadLetters/selection.ts";
import { showOne } from "../output/show.ts";
import type { LeafCommand } from "./command.ts";

export const deadlettersGet: LeafCommand = {
  usage: "get <id>",
  summary: "Show one rejected record with its payload, cause, origin and history.",
  examples: [
    "headwater deadletters get VbZsDdSkFIHQqU5ESHo7:3:0 --account shop",
    "headwater deadletters get intake.records:3:4711 --undecodable --json",
  ],
  options: (command) => addWhose(command.alias("show")),
  async run(call, [recordId = ""], input) {
    const deadLetter = await call.connections.withPostgres(async (postgres) => {
      const { number: account } = await readWhose(postgres, input);
      return readDeadLetter(postgres, { account, recordId });
    });
    if (deadLetter === undefined) throw noDeadLetter(recordId);
    showOne(call, toDeadLetterRow(deadLetter));
  },
};

function noDeadLetter(recordId: string): HeadwaterError {
  const publicMessage = `Dead letter ${recordId} does not exist.`;
  return new HeadwaterError({ code: "RECORD_NOT_FOUND", status: 404, publicMessage });
}
