import { HeadwaterError, type Logger } from "@headwater/kernel";
import type { OffsetKey } from "@headwater/postgres/streams/streamOffsets";
import type { Poison } from "./quarantine.ts";
import { isSystemicFault, type PoisonCount } from "./systemicFault.ts";

export interface Reporting {
  readonly logger: Logger;
  readonly onQuarantined?: ((records: number) => void) | undefined;
}

/** Alarms operators: an error in the log for each, and a count to alert on. Payloads stay in the dead letters. */
export function reportPoison(
  { logger, onQuarantined }: Reporting,
  { group, topic, partition }: Pick<OffsetKey, "group" | "topic" | "partition">,
  poison: readonly Poison[],
): void {
  for (const { offset, place: position, letter: deadLetter, error } of poison) {
    const { account, recordId, operation } = deadLetter;
    const at = { group, topic, partition, offset, place: position, account, recordId, operation };
    logger.error({ err: error, ...at }, "poison record quarantined as INTERNAL_ERROR");
  }
  if (poison.length > 0) onQuarantined?.(poison.length);
}

/** @throws HeadwaterError, systemic, when the poison is too much and of too many accounts to be the records' fault. */
export function suspectsSystem({
  group,
  cause,
  ...count
}: PoisonCount & { readonly group: string; readonly cause: unknown }): void {
  if (!isSystemicFault(count)) return;
  const publicMessage = `${group}: ${count.poison.length} records of one batch failed, across most of its accounts; suspecting a systemic fault.`;
  throw new HeadwaterError({ code: "INTERNAL_ERROR", status: 500, publicMessage, cause });
}
