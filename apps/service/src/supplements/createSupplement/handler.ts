import { builtInTables } from "@headwater/domain/supplement";
import { type Answer, refusal } from "@headwater/http";
import { insertSupplement } from "@headwater/stores/supplements";
import { type OnceCall, runOnce } from "../../idempotency/runOnce.ts";
import type { ServicePorts } from "../../ports.ts";
import type { CreateTableBody } from "./schema.ts";

/** Makes a table. Throws 422 `KEY_MUST_BE_UNIQUE`, for keys of tables that every account has, too. */
export async function createTable(
  call: OnceCall,
  { key, name, indexes, contactObject = false, autogenerateIDs = false }: CreateTableBody,
  { postgres, clock }: Pick<ServicePorts, "postgres" | "clock">,
): Promise<Answer> {
  const { number: account, settings } = call.caller.account;
  return runOnce(postgres, call, async (transaction) => {
    const rules = { indexes, contactObject, autogenerateIDs, createdAt: clock.nowMs(), timezone: settings.timezone };
    const table = { account, key, ...(name !== undefined && { name }), ...rules };
    const made = builtInTables.has(key) ? undefined : await insertSupplement(transaction, table);
    if (made === undefined) throw taken();
    const body = { success: true, key };
    return { answer: { status: 201, body }, kept: body };
  });
}

function taken() {
  const message = "A supplement with this key already exists.";
  return refusal("KEY_MUST_BE_UNIQUE", message, { details: [{ path: "/key", code: "not_allowed", message }] });
}
