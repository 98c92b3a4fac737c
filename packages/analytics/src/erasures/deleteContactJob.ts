import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { defineJobWithOutside, type StepEnd } from "@headwater/jobs/runner/jobKind";
import type { Transaction } from "@headwater/postgres/connection/session";
import { readErasure } from "@headwater/records/erasures/erasures";
import { earlierIdentifiers } from "./earlierIdentifiers.ts";
import { removeExportedFiles, removeProfiles, removeRunFiles } from "./exportedFiles.ts";
import {
  areOldPartsLeft,
  clickHouseSeconds,
  deleteInClickHouse,
  dropOldParts,
  isRewriting,
  maskRows,
} from "./inClickHouse.ts";
import { type Erasing, type Progress, progress } from "./progress.ts";
import {
  closeToSinks,
  finish,
  follow,
  followMasks,
  keepKnown,
  type Outside,
  scrubAgain,
  scrubNext,
  scrubRest,
  settle,
} from "./steps.ts";
import { deleteUploadsAbout } from "./uploadsAbout.ts";

/**
 * The contact is gone from Postgres since it was asked for. This removes what is left of it elsewhere: refused records, kept
 * answers, files, and its rows in ClickHouse. These it deletes at once; once more when all that was stored before the erasure is
 * there, when whoever writes there knows whom to leave out, and when nothing is on its way that was made before they knew. It
 * ends when the rows' bytes are gone from ClickHouse's disk too.
 */
export const deleteContactJob = defineJobWithOutside<"DeleteContact", Progress, Outside>({
  jobName: "DeleteContact",
  progress,
  async outside(work, ports) {
    const { jobId, account, input, progress: at } = work;
    const erasure = await readErasure(ports.postgres, account.number, input.version);
    if (erasure === undefined) throw new Error("the erasure of the job is not remembered");
    const { sinkSettleMs: sinkResolveMs } = ports;
    if (checksBack(at)) {
      const earlier = await earlierIdentifiers(ports.clickhouse, erasure, input.identifiers);
      return { erasure, earlier, sinkSettleMs: sinkResolveMs };
    }
    if (at?.phase === "first" || at?.phase === "last") {
      // Files first: the rows that name those with the contact are deleted as well.
      await removeProfiles(ports, account.id, erasure);
      await deleteUploadsAbout(work, ports);
      await removeRunFiles(work, ports);
      await removeExportedFiles(ports, { accountId: account.id, jobId }, erasure);
      await deleteInClickHouse(ports.clickhouse, erasure);
    }
    if (at?.phase === "last") await maskRows(ports.clickhouse);
    return { erasure, earlier: [], sinkSettleMs: sinkResolveMs, ...(await bytesOf(at, ports.clickhouse)) };
  },
  step: (work, transaction, outside) => stepOf(work, transaction, outside),
});

/** History says what the contact was known by: it is asked before it is deleted, each time. */
function checksBack(at: Progress | undefined): boolean {
  return at === undefined || at.phase === "close";
}

function stepOf(work: Erasing, transaction: Transaction, outside: Outside): Promise<StepEnd<Progress>> {
  const at = work.progress;
  switch (at?.phase) {
    case undefined:
      return keepKnown(work, transaction, outside);
    case "first":
      return scrubNext(work, { phase: "rejects", after: "", scrubbed: 0 }, transaction);
    case "rejects":
      return scrubNext(work, at, transaction);
    case "others":
      return scrubRest(work, at, { transaction, outside });
    case "sinks":
      return follow(at, transaction);
    case "close":
      return closeToSinks(work, at, { transaction, outside });
    case "settle":
      return settle(work, at, outside);
    case "last":
      return scrubAgain(work, at, { transaction, outside });
    case "masks":
      return followMasks(at, outside);
    case "parts":
      return finish(work, at, { transaction, outside });
  }
}

/** Returns how far ClickHouse is with dropping the bytes of the rows. */
async function bytesOf(
  at: Progress | undefined,
  clickhouse: ClickHouse,
): Promise<Pick<Outside, "rewrittenAt" | "isGone">> {
  if (at?.phase === "parts") {
    if (!(await areOldPartsLeft(clickhouse, at.since))) return { isGone: true };
    await dropOldParts(clickhouse);
    return { isGone: false };
  }
  if (at?.phase !== "masks" || (await isRewriting(clickhouse))) return {};
  return { rewrittenAt: await clickHouseSeconds(clickhouse) };
}
