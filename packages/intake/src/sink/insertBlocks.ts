import { ageMs, HeadwaterError, type Moment } from "@headwater/kernel";
import type { SinkBlock } from "./sink.ts";
import type { SinkHandlerOptions } from "./sinkOptions.ts";

/**
 * A claim that is older may belong to a process that slept: others may have finished its range so long ago that
 * ClickHouse has forgotten the token. The deduplication window (50,000 blocks a table) holds ten times this at 160 inserts a
 * second.
 */
export const CLAIM_MS_MAX = 30_000;

/** The claim under which blocks are sent. */
export interface Claim {
  readonly token: string;
  readonly claimedAt: Moment;
}

/** Inserts the blocks under the claim's token, those of the first tables before all others. */
export async function insertBlocks(
  options: SinkHandlerOptions,
  claim: Claim,
  blocks: readonly SinkBlock[],
): Promise<void> {
  await options.beforeInsert?.();
  const filled = blocks.filter(({ rows }) => rows > 0);
  for (const block of filled.filter(({ isFirst }) => isFirst)) await insertOne(options, claim, block);
  await Promise.all(filled.filter(({ isFirst }) => !isFirst).map((block) => insertOne(options, claim, block)));
}

async function insertOne(options: SinkHandlerOptions, claim: Claim, block: SinkBlock): Promise<void> {
  const { table, columns, body, rows } = block;
  refuseOldClaim(options, claim);
  await options.clickhouse.insertBlock({ table, columns, body, token: `${claim.token}:${table}` });
  options.onInserted?.(rows);
}

function refuseOldClaim({ clock }: SinkHandlerOptions, { claimedAt }: Claim): void {
  if (ageMs(clock, claimedAt) <= CLAIM_MS_MAX) return;
  const publicMessage = `This process was suspended for more than ${CLAIM_MS_MAX} ms while it held a range; the claim has expired.`;
  throw new HeadwaterError({ code: "INTERNAL_ERROR", status: 500, publicMessage });
}
