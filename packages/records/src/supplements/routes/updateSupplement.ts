import { type OnceCall, runOnce } from "@headwater/api/idempotency/runOnce";
import { etagOf, expectVersion } from "@headwater/api/writing/ifMatch";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { type Answer, type Route, refusal } from "@headwater/http";
import type { Transaction } from "@headwater/postgres/connection/session";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { createSupplementIndexes } from "../../writes/supplementIndexes.ts";
import { dropSupplementIndexes } from "../supplementIndexes.ts";
import { renameSupplement, type SupplementView } from "../supplements.ts";
import { lockSupplements } from "../supplementTables.ts";
import {
  expectTable,
  memberStays,
  savedAnswer,
  savedExample,
  TABLE_UNKNOWN,
  tableIndexes,
  tableName,
  tableParams,
  tableRecord,
  versionOfTable,
} from "../tableShape.ts";

const body = z.object({
  key: z.string().optional().describe("That of the path."),
  name: tableName.nullable().optional(),
  indexes: tableIndexes.optional(),
});
type UpdateTableBody = z.output<typeof body>;

const requestExample = { name: "Cars", indexes: [{ field: "model", type: "string" }] };

interface TableChange {
  readonly key: string;
  readonly changes: UpdateTableBody;
  /** The header. */
  readonly ifMatch: string | undefined;
}

/** Throws 404, 409 `VERSION_CONFLICT`, and 422 `TYPE_CHANGE_NOT_ALLOWED`, `VALIDATION_ERROR` for another key. */
async function updateTable(
  call: OnceCall,
  { key, changes, ifMatch }: TableChange,
  { postgres }: Pick<RoutePorts, "postgres">,
): Promise<Answer> {
  const { number: account, settings } = call.caller.account;
  const { key: input = key, name, indexes } = changes;
  if (input !== key) throw memberStays("key");
  return runOnce(postgres, call, async (transaction) => {
    // From here on nobody writes a record of the account: whoever does so next knows the indexes.
    await lockSupplements(transaction, [{ account, alone: true }]);
    const table = await expectTable(transaction, account, key);
    expectVersion(ifMatch, versionOfTable(table));
    if (name !== undefined) await renameSupplement(transaction, { account, supplement: table.id }, name);
    if (indexes !== undefined) await updateIndexes(transaction, table, { indexes, timezone: settings.timezone });
    const body = { success: true, key };
    const changed = await expectTable(transaction, account, key);
    const headers = { ETag: etagOf(versionOfTable(changed)) };
    return { answer: { status: 200, body, headers }, kept: body, stored: tableRecord(table) };
  });
}

interface WantedIndexes {
  readonly indexes: NonNullable<UpdateTableBody["indexes"]>;
  readonly timezone: string;
}

async function updateIndexes(
  transaction: Transaction,
  { account, id: supplement, indexes: known }: SupplementView,
  { indexes, timezone }: WantedIndexes,
): Promise<void> {
  const changed = indexes.findIndex(({ field, type }) => known.some((one) => one.field === field && one.type !== type));
  if (changed >= 0) throw otherType(changed);
  const dropped = known.filter(({ field }) => !indexes.some((one) => one.field === field)).map(({ field }) => field);
  const added = indexes.filter(({ field }) => !known.some((one) => one.field === field));
  if (dropped.length > 0) await dropSupplementIndexes(transaction, { account, supplement }, dropped);
  await createSupplementIndexes(transaction, { account, supplement }, { indexes: added, timezone });
}

function otherType(position: number) {
  const message = "The field is indexed with another type. The type of an index cannot be changed.";
  const details = [{ path: `/indexes/${position}/type`, code: "not_allowed", message }];
  return refusal("TYPE_CHANGE_NOT_ALLOWED", message, { details });
}

export function updateSupplement(ports: Pick<RoutePorts, "postgres">): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/supplements/{key}",
    operationId: "updateSupplement",
    summary: "Updates the name and the indexes of a table.",
    description:
      "`key` cannot be changed. `indexes` is the full list: indexes that are not named are dropped. A new index is ready at once on a small table; on a large one it is built in the background, `state` shows the progress, and filters on it get a 409 meanwhile.",
    tags: ["supplements"],
    answers: {
      200: { description: "The updated table.", schema: savedAnswer, example: savedExample },
      404: TABLE_UNKNOWN,
      422: { description: "TYPE_CHANGE_NOT_ALLOWED: a field is indexed with another type. VALIDATION_ERROR." },
    },
    scope: "supplements:write",
    dryRun: "rolledBack",
    target: "key",
    params: tableParams,
    body,
    requestExample,
    ifMatch: true,
    returnsStored: true,
    handler: ({ params: { key }, body: changes, once, header }) =>
      updateTable(once, { key, changes, ifMatch: header("if-match") }, ports),
  });
}
