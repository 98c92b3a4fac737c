import type { Answer } from "@headwater/http";
import { clearSupplement } from "@headwater/operations";
import type { Transaction } from "@headwater/stores";
import type { OnceCall } from "../idempotency/runOnce.ts";
import type { ServicePorts } from "../ports.ts";
import { writeOnce } from "../writing/writeOnce.ts";
import { unknownTable } from "./tableShape.ts";

/** A table that was emptied; what was written before the version is gone. */
export interface EmptiedTable {
  readonly account: number;
  readonly supplement: number;
  readonly version: string;
}

export interface Emptying {
  readonly key: string;
  /** In the same transaction. */
  readonly then: (emptied: EmptiedTable, transaction: Transaction) => Promise<Answer>;
}

/** Empties a table at once, whatever it holds: records that intake took before stay away, those that come later stay. Throws 404. */
export function emptyTable(
  call: OnceCall,
  { key, then }: Emptying,
  ports: Pick<ServicePorts, "postgres" | "clock" | "secret">,
): Promise<Answer> {
  return writeOnce<EmptiedTable>(
    call,
    {
      kind: "v2",
      lookups: { identifiers: [], members: false, clearsSupplement: key },
      fold(state, origin) {
        const table = clearSupplement(state, key, origin);
        if (table === undefined) throw unknownTable();
        return { account: origin.account.number, supplement: table.id, version: origin.version };
      },
      answer: then,
    },
    ports,
  );
}
