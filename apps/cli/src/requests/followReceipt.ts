import { members, type Row, type ServiceClient } from "@headwater/api-client";
import type { Call } from "../call.ts";
import { showOne } from "../output/show.ts";
import type { Progress } from "../progress.ts";
import { isMembers } from "./readInput.ts";

/** Waits for the end of what a receipt is of, and shows it: exit code 1 when a record was rejected. */
export async function followReceipt(
  call: Call,
  service: ServiceClient,
  { receipt, timeoutMs }: { readonly receipt: string; readonly timeoutMs: number },
): Promise<void> {
  const { progress } = call.terminal;
  const onProgress = ({ state, records }: Row) => progress.show({ label: String(state), ...countsOf(records) });
  const ended = await service.waitForReceipt(receipt, { timeoutMs, onProgress });
  progress.end();
  showReceipt(call, ended);
}

export function showReceipt(call: Call, receipt: Row): void {
  const { records } = receipt;
  if (isMembers(records) && records.rejected !== 0) call.fail();
  showOne(call, receipt, members.getReceipt);
}

function countsOf(records: unknown): Omit<Progress, "label"> {
  if (!isMembers(records)) return { done: 0, total: 0 };
  const counted = Object.entries(records).filter(([, count]) => count !== 0);
  const total = counted.reduce((sum, [, count]) => sum + Number(count), 0);
  const counts = counted.map(([name, count]) => `${String(count)} ${name}`).join(", ");
  return { done: total - Number(records.pending ?? 0), total, counts };
}
