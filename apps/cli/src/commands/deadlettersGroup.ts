import { toTimestamp } from "@headwater/contracts";
import { groupDeadLetters } from "@headwater/intake/deadLetters/deadLetterCounts";
import { addFilters, addStatus, filtersOf, readWhose } from "../deadLetters/selection.ts";
import { showRows } from "../output/show.ts";
import type { LeafCommand } from "./command.ts";

export const deadlettersGroup: LeafCommand = {
  usage: "group",
  summary: "Count rejected records by cause, the most frequent first.",
  examples: ["headwater deadletters group --account shop", "headwater deadletters group --account shop --status any"],
  options: (command) => addStatus(addFilters(command)),
  async run(call, _args, input) {
    const causes = await call.connections.withPostgres(async (postgres) =>
      groupDeadLetters(postgres, filtersOf(input, await readWhose(postgres, input))),
    );
    const rows = causes.map((cause) => ({ ...cause, first: toTimestamp(cause.first), last: toTimestamp(cause.last) }));
    showRows(call, ["code", "operation", "count", "first", "last", "sampleId"], rows);
  },
};
