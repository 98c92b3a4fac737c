import { successShape } from "@headwater/api/answers/success";
import type { OnceCall } from "@headwater/api/idempotency/runOnce";
import type { WritePorts } from "@headwater/api/ports";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { type Answer, type Route, refusal } from "@headwater/http";
import { startJob } from "@headwater/jobs/queue/startJob";
import { z } from "zod";
import type { Origin } from "../../contacts/contactIndex.ts";
import { noChangeEvents } from "../../fold/foldEvents.ts";
import type { FoldState } from "../../fold/foldState.ts";
import type { RoutePorts } from "../../ports.ts";
import { writeOnce } from "../../writing/writeOnce.ts";
import { readListId } from "../list.ts";

const params = z.strictObject({ id: z.string() });
const clearAnswer = successShape.extend({ id: z.number().int(), jobId: z.string() });
const clearExample = { success: true, id: 1, jobId: "65f0c0ffee65f0c0ffee0001" };

/**
 * Empties the list at once, and starts the job that removes the rows of those who were on it.
 * Throws 404 `ACCOUNT_LISTS_NOT_FOUND`.
 */
function clearList(listId: string, once: OnceCall, ports: WritePorts & Pick<RoutePorts, "queue">): Promise<Answer> {
  const { account, id: createdBy } = once.caller;
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
          madeBy: createdBy,
          nowMs: ports.clock.nowMs(),
        });
        return { status: 200, body: { success: true, id, jobId } };
      },
    },
    ports,
  );
}

export function noSuchList() {
  return refusal("ACCOUNT_LISTS_NOT_FOUND", "No list has this id.");
}

export function clearAccountlist(ports: WritePorts & Pick<RoutePorts, "queue">): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/accountlists/{id}/clear",
    operationId: "clearAccountlist",
    summary: "Removes all contacts from a list. The contacts are kept.",
    description: "The list is empty when the response arrives. The job removes the stored memberships.",
    tags: ["accountlists"],
    answers: {
      200: { description: "The list is empty.", schema: clearAnswer, example: clearExample },
      404: { description: "ACCOUNT_LISTS_NOT_FOUND: no list has this id." },
    },
    scope: "accountlists:write",
    dryRun: "rolledBack",
    target: "id",
    params,
    handler: ({ params: { id }, once }) => clearList(id, once, ports),
  });
}
