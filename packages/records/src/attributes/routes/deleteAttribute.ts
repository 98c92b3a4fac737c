import type { OnceCall } from "@headwater/api/idempotency/runOnce";
import type { WritePorts } from "@headwater/api/ports";
import { contentVersion, expectVersion } from "@headwater/api/writing/ifMatch";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { Answer, Route } from "@headwater/http";
import { startJob } from "@headwater/jobs/queue/startJob";
import { z } from "zod";
import { noChangeEvents } from "../../fold/foldEvents.ts";
import { lockNames } from "../../lists/lists.ts";
import type { RoutePorts } from "../../ports.ts";
import { writeOnce } from "../../writing/writeOnce.ts";
import { attributeRecord, keyParams, unknownAttribute } from "../attribute.ts";
import { insertAttributeClear } from "../attributeClears.ts";
import { attributes, deleteRetainedValues } from "../postgres.ts";

type Ports = WritePorts & Pick<RoutePorts, "attributeRules" | "queue">;

const deleteAnswer = z.strictObject({ success: z.literal(true), jobId: z.string() });
const deleteExample = { success: true, jobId: "65f0c0ffee65f0c0ffee0001" };

/**
 * Deletes a definition, and with it all values that were written up to now: they are gone for every read with this answer. A job
 * removes what is stored of them. A write that comes later defines the attribute again and finds none of them.
 * @throws HeadwaterError 404 `RECORD_NOT_FOUND`, 409 `VERSION_CONFLICT`.
 */
async function deleteDefinition(
  once: OnceCall,
  { key, ifMatch }: { readonly key: string; readonly ifMatch: string | undefined },
  ports: Ports,
): Promise<Answer> {
  const { account } = once.caller;
  const name = { account: account.number, key };
  const answer = await writeOnce(
    once,
    {
      kind: "v2",
      reads: { identifiers: [], members: false, clearsAttributes: true },
      before: (transaction) => lockNames(transaction, account.number),
      fold: (_, { version }) => ({ version, changeEvents: noChangeEvents }),
      async answer({ version }, transaction) {
        const nowMs = ports.clock.nowMs();
        const stored = await attributes.read(transaction, name);
        if (stored === undefined) throw unknownAttribute();
        expectVersion(ifMatch, contentVersion(attributeRecord(stored)));
        await attributes.delete(transaction, name, nowMs);
        await insertAttributeClear(transaction, { ...name, version }, stored.type);
        await deleteRetainedValues(transaction, name);
        const jobId = await startJob(transaction, ports.queue, {
          account: account.number,
          jobName: "DeleteAttribute",
          input: { key, version },
          metadata: { key },
          madeBy: once.caller.id,
          nowMs,
        });
        return { status: 200, body: { success: true, jobId } };
      },
    },
    ports,
  );
  ports.attributeRules.forget(account);
  return answer;
}

/** A route of its own: the deletion has a version, before which every value of the attribute is gone. */
export function deleteAttribute(ports: Ports): Route {
  return defineWriteRoute({
    method: "DELETE",
    path: "/v2/accountcontactattributes/{key}",
    operationId: "deleteAttribute",
    summary: "Deletes an attribute: its definition and the values of all contacts.",
    description:
      "When the response arrives, no read returns the values any more. The job removes the stored data. A later write of the same key starts over. Audiences as of an earlier moment still use the values.",
    tags: ["accountcontactattributes"],
    answers: {
      200: { description: "The definition is deleted.", schema: deleteAnswer, example: deleteExample },
      404: { description: "RECORD_NOT_FOUND: no attribute has this key." },
    },
    scope: "accountcontactattributes:write",
    dryRun: "rolledBack",
    target: "key",
    params: keyParams,
    ifMatch: true,
    handler: ({ params: { key }, once, header }) => deleteDefinition(once, { key, ifMatch: header("if-match") }, ports),
  });
}
