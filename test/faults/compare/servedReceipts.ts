import { openReceipt } from "@headwater/contracts";
import type { Ground } from "../harness/services.ts";
import type { Accepted } from "../load/sender.ts";
import type { Replayed } from "../model/replay.ts";
import { membersOf } from "../model/shapes.ts";
import type { Differences } from "./differences.ts";

export interface ServedReceipts {
  /** Port of the service, on the loopback. */
  readonly port: number;
  readonly ground: Ground;
  readonly secret: string;
  readonly differences: Differences;
}

const RECEIPTS_MAX = 3_000;
const AT_ONCE = 8;

/** Compares the service's receipts with the model's view of their requests: every record once, none pending. */
export async function compareServedReceipts(
  accepted: readonly Accepted[],
  replayed: Replayed,
  served: ServedReceipts,
): Promise<void> {
  const every = Math.ceil(accepted.length / RECEIPTS_MAX);
  const asked = accepted.filter((_one, index) => index % every === 0);
  const late = lateOutcomes(replayed);
  const ask = async () => {
    for (let one = asked.pop(); one !== undefined; one = asked.pop()) {
      const answer = membersOf(await fetchReceipt(one.receipt, served));
      const { records, skips, warnings } = answer;
      const expected = expectedOf(one, { replayed, late, secret: served.secret });
      served.differences.same(`receipt of ${one.requestId}`, { records, skips, warnings }, expected);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
}

async function fetchReceipt(receipt: string, { port, ground }: ServedReceipts): Promise<unknown> {
  const authorization = `Basic ${Buffer.from(`${ground.apiKey}:`).toString("base64")}`;
  const answer = await fetch(`http://127.0.0.1:${port}/v2/receipts/${receipt}`, { headers: { authorization } });
  return answer.json();
}

interface Late {
  rejected: number;
  readonly skips: Map<string, number>;
}

/** Returns the outcomes of records that were parked, by request. */
function lateOutcomes({ rejects }: Replayed): ReadonlyMap<string, Late> {
  const late = new Map<string, Late>();
  for (const { requestId, status, code } of rejects.values()) {
    const known = late.get(requestId) ?? { rejected: 0, skips: new Map() };
    late.set(requestId, known);
    if (status === "open") known.rejected++;
    if (status === "skipped") known.skips.set(code, (known.skips.get(code) ?? 0) + 1);
  }
  return late;
}

interface Expecting {
  readonly replayed: Replayed;
  readonly late: ReadonlyMap<string, Late>;
  readonly secret: string;
}

function expectedOf({ requestId, receipt }: Accepted, { replayed, late, secret }: Expecting) {
  const total = openReceipt(receipt, secret)?.parts.reduce((sum, { count }) => sum + count, 0) ?? 0;
  const tally = replayed.tallies.get(requestId);
  const lateTally = late.get(requestId);
  const skips = new Map(tally?.skips);
  for (const [code, count] of lateTally?.skips ?? []) skips.set(code, (skips.get(code) ?? 0) + count);
  const skipped = [...skips.values()].reduce((sum, count) => sum + count, 0);
  const rejected = lateTally?.rejected ?? 0;
  return {
    records: { applied: total - skipped - rejected, skipped, rejected, parked: 0, pending: 0 },
    skips: Object.fromEntries(skips),
    warnings: Object.fromEntries(tally?.warnings ?? []),
  };
}
