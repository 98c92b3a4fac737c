import type { LeaseStore } from "@headwater/http";
import type { Logger } from "@headwater/kernel";
import type { FrameAppend, Placement } from "@headwater/topics";
import type { LoggedOperation } from "../operations/operation.ts";
import type { IntakeCounts } from "./counts.ts";
import type { JudgingTurns } from "./judgingTurns.ts";
import type { SealReceipt } from "./receipts.ts";

/** One request's records for the log. */
export type AppendEntries = Pick<FrameAppend, "account" | "entries" | "traceparent">;

/** Ports of a request to intake. */
export interface IntakePorts {
  readonly logger: Logger;
  /** Partitions of the topic records are written to. */
  readonly partitions: number;
  readonly sealReceipt: SealReceipt;
  readonly idempotency: LeaseStore;
  readonly counts: IntakeCounts;
  readonly turns: JudgingTurns;
  /** @throws HeadwaterError 503, or 429 to an account over its share, when what is validated now could not be written soon. */
  refuseWhenBehind(account: string): void;
  /** Resolves when all entries are in the log. @throws HeadwaterError 503. */
  append(operation: Pick<LoggedOperation, "name">, append: AppendEntries): Promise<readonly Placement[]>;
}
