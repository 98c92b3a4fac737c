import { toTimestamp } from "@headwater/contracts";
import { listRedrives, type Redrive } from "@headwater/intake/deadLetters/redrives";
import { addWhose, readWhose } from "../deadLetters/selection.ts";
import { showRows } from "../output/show.ts";
import type { LeafCommand } from "./command.ts";

const ROWS_MAX = 100;

export const deadlettersRedrives: LeafCommand = {
  usage: "redrives",
  summary: `Show the progress of the last ${ROWS_MAX} redrives of an account.`,
  examples: ["headwater deadletters redrives --account shop"],
  options: addWhose,
  async run(call, _args, input) {
    const redrives = await call.connections.withPostgres(async (postgres) => {
      const { number } = await readWhose(postgres, input);
      return listRedrives(postgres, number, ROWS_MAX);
    });
    const columns = ["jobId", "createdAt", "state", "selected", "written", "refused", "by"];
    showRows(call, columns, redrives.map(toRow));
  },
};

function toRow({ id, createdAt, startedAt, writtenAt, selected, published, refused, madeBy: createdBy }: Redrive) {
  const running = startedAt === null ? "waits" : "is written";
  const state = writtenAt === null ? running : "written";
  return { jobId: id, createdAt: toTimestamp(createdAt), state, selected, written: published, refused, by: createdBy };
}
