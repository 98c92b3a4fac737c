import type { OnceCall } from "@headwater/api/idempotency/runOnce";
import { expectVersion } from "@headwater/api/writing/ifMatch";
import type { Answer } from "@headwater/http";
import { startJob } from "@headwater/jobs/queue/startJob";
import type { Transaction } from "@headwater/postgres/connection/session";
import { noChangeEvents } from "../fold/foldEvents.ts";
import { lockNames } from "../lists/lists.ts";
import type { RoutePorts } from "../ports.ts";
import { writeOnce } from "../writing/writeOnce.ts";
import { type AttributeClear, insertAttributeClear } from "./attributeClears.ts";
import { deleteAttribute, readAttribute } from "./attributeDefinitions.ts";
import { versionOfDefinition } from "./definitionShape.ts";
import { deleteRetainedValues } from "./retainedValues.ts";
import { unknown } from "./saveDefinition.ts";

type Ports = Pick<RoutePorts, "postgres" | "clock" | "secret" | "queue" | "attributeRules">;

/**
 * Deletes a definition, and with it all values that were written up to now: they are gone for every read with this answer. A job
 * removes what is stored of them. A write that comes later defines the attribute anew and finds none of them.
 * @throws HeadwaterError 404 `RECORD_NOT_FOUND`, 409 `VERSION_CONFLICT`.
 */
export async function deleteDefinition(
  once: OnceCall,
  { key, ifMatch }: { readonly key: string; readonly ifMatch: string | undefined },
  ports: Ports,
): Promise<Answer> {
  const { account } = once.caller;
  const of = { account: account.number, key };
  const answer = await writeOnce(
    once,
    {
      kind: "v2",
      reads: { identifiers: [], members: false, clearsAttributes: true },
      before: (transaction) => lockNames(transaction, account.number),
      fold: (_, { version }) => ({ version, changeEvents: noChangeEvents }),
      async answer({ version }, transaction) {
        // Whoever changes a definition holds the names, as this transaction does.
        const known = await readAttribute(transaction, of);
        if (known !== undefined) expectVersion(ifMatch, versionOfDefinition(known));
        await forget(transaction, { ...of, version });
        const jobId = await startJob(transaction, ports.queue, {
          account: account.number,
          jobName: "DeleteAttribute",
          input: { key, version },
          metadata: { key },
          madeBy: once.caller.id,
          nowMs: ports.clock.nowMs(),
        });
        return { status: 200, body: { success: true, jobId } };
      },
    },
    ports,
  );
  ports.attributeRules.forget(account);
  return answer;
}

async function forget(transaction: Transaction, clear: AttributeClear): Promise<void> {
  const type = await deleteAttribute(transaction, clear);
  if (type === undefined) throw unknown();
  await insertAttributeClear(transaction, clear, type);
  await deleteRetainedValues(transaction, clear);
}
