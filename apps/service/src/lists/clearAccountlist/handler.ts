import { type FoldState, noChangeEvents } from "@headwater/domain";
import type { Origin } from "@headwater/domain/contact";
import { type Answer, refusal } from "@headwater/http";
import { startJob } from "@headwater/stores/jobs";
import type { OnceCall } from "../../idempotency/runOnce.ts";
import type { ServicePorts, WritePorts } from "../../ports.ts";
import { writeOnce } from "../../writing/writeOnce.ts";
import { readListId } from "../saveList.ts";

/**
 * Empties the list at once, and starts the job that removes the rows of those who were on it.
 * Throws 404 `ACCOUNT_LISTS_NOT_FOUND`.
 */
export function clearList(
  listId: string,
  once: OnceCall,
  ports: WritePorts & Pick<ServicePorts, "queue">,
): Promise<Answer> {
  const { account, id: madeBy } = once.caller;
  const id = readListId(listId);
  if (id === undefined) throw noSuchList();
  const fold = (state: FoldState, { version }: Origin) => {
    const list = state.listById(id);
    if (list === undefined) throw noSuchList();
    state.clearList(list, version);
    return { version, changeEvents: noChangeEvents };
  };
  const reads = { identifiers: [], members: false, listId: id, clearsList: true };
  return writeOnce(
    once,
    {
      kind: "v2",
      reads,
      fold,
      async answer({ version }, transaction) {
        const jobId = await startJob(transaction, ports.queue, {
          account: account.number,
          jobName: "ClearList",
          input: { list: id, version },
          metadata: { list: id },
          madeBy,
          nowMs: ports.clock.nowMs(),
        });
        return { status: 200, body: { success: true, id, jobId } };
      },
    },
    ports,
  );
}

function noSuchList() {
  return refusal("ACCOUNT_LISTS_NOT_FOUND", "No list has this id.");
}
