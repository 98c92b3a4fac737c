import type { Row, ServiceClient } from "@headwater/api-client";
import type { Call } from "../call.ts";
import { showOne } from "../output/show.ts";
import { isMembers } from "./readInput.ts";

/** Waits for the end of what a receipt is of, and shows it: exit code 1 when a record was rejected. */
export async function followReceipt(
  call: Call,
  service: ServiceClient,
  { receipt, timeoutMs }: { readonly receipt: string; readonly timeoutMs: number },
): Promise<void> {
  let last = "";
  const onProgress = ({ state, records }: Row) => {
    const line = `${String(state)}: ${inWords(records)}`;
    if (line !== last) call.terminal.say(line);
    last = line;
  };
  showReceipt(call, await service.waitForReceipt(receipt, { timeoutMs, onProgress }));
}

export function showReceipt(call: Call, receipt: Row): void {
  const { records } = receipt;
  if (isMembers(records) && records.rejected !== 0) call.fail();
  showOne(call, receipt);
}

function inWords(records: unknown): string {
  if (!isMembers(records)) return "";
  const counts = Object.entries(records).filter(([, count]) => count !== 0);
  return counts.map(([name, count]) => `${String(count)} ${name}`).join(", ");
}
