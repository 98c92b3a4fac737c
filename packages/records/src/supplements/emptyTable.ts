import type { OnceCall } from "@headwater/api/idempotency/runOnce";
import { expectVersion } from "@headwater/api/writing/ifMatch";
import { type Answer, refusal } from "@headwater/http";
import { startJob } from "@headwater/jobs/queue/startJob";
import type { Transaction } from "@headwater/postgres/connection/session";
import { noChangeEvents } from "../fold/foldEvents.ts";
import type { RoutePorts } from "../ports.ts";
import { writeOnce } from "../writing/writeOnce.ts";
import { builtInTables } from "./builtInTables.ts";
import { dropSupplementIndexes } from "./supplementIndexes.ts";
import { deleteSupplement } from "./supplements.ts";
import { expectTable, unknownTable, versionOfTable } from "./tableShape.ts";
import { clearSupplement } from "./writeSupplement.ts";

type Ports = Pick<RoutePorts, "postgres" | "clock" | "secret" | "queue">;

/**
 * Empties a table at once, whatever it holds: records that intake took before stay away, those that come later stay. A job removes
 * the rows. Throws 404.
 */
export function clearTable(call: OnceCall, key: string, ports: Ports): Promise<Answer> {
  return emptyTable(call, { key, ports, finish: async (_, jobId) => ({ success: true, key, jobId }) });
}

/** Throws 404, 409 `VERSION_CONFLICT`, and 422 for a table that every account has: the next record of it would make it again. */
export function deleteTable(
  call: OnceCall,
  { key, ifMatch }: { readonly key: string; readonly ifMatch: string | undefined },
  ports: Ports,
): Promise<Answer> {
  if (builtInTables.has(key)) throw builtIn();
  const close = async ({ account, supplement, version, transaction }: Emptied) => {
    expectVersion(ifMatch, versionOfTable(await expectTable(transaction, account, key)));
    await dropSupplementIndexes(transaction, { account, supplement });
    await deleteSupplement(transaction, { account, supplement }, version);
    return { success: true };
  };
  return emptyTable(call, { key, ports, finish: close });
}

/** A table that was emptied; what was written before the version is gone. */
interface Emptied {
  readonly account: number;
  readonly supplement: number;
  readonly version: string;
  readonly transaction: Transaction;
}

interface Emptying {
  readonly key: string;
  readonly ports: Ports;
  /** Ends the call in the same transaction. @returns the answer's body. */
  readonly finish: (emptied: Emptied, jobId: string) => Promise<object>;
}

function emptyTable(call: OnceCall, { key, ports, finish }: Emptying): Promise<Answer> {
  const { account, id: createdBy } = call.caller;
  return writeOnce(
    call,
    {
      kind: "v2",
      reads: { identifiers: [], members: false, clearsSupplement: key },
      fold(state, origin) {
        const table = clearSupplement(state, key, origin);
        if (table === undefined) throw unknownTable();
        return { supplement: table.id, version: origin.version, changeEvents: noChangeEvents };
      },
      async answer({ supplement, version }, transaction) {
        const job = { account: account.number, jobName: "ClearSupplement", input: { supplement, version } } as const;
        const details = { metadata: { supplement: key }, madeBy: createdBy, nowMs: ports.clock.nowMs() };
        const jobId = await startJob(transaction, ports.queue, { ...job, ...details });
        return {
          status: 200,
          body: await finish({ account: account.number, supplement, version, transaction }, jobId),
        };
      },
    },
    ports,
  );
}

function builtIn() {
  const message = "This table is built in: it can be cleared, but not deleted.";
  return refusal("VALIDATION_ERROR", message, { details: [{ path: "/key", code: "not_allowed", message }] });
}
