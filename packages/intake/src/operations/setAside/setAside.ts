import { noReads } from "@headwater/records/fold/stateReads";
import type { LoggedOperation } from "../operation.ts";
import { fold } from "./fold.ts";
import { type RefusedPartRecord, record } from "./schema.ts";

/**
 * A part of a partner's push that becomes no record of another operation: refused by validation, or standing for nothing
 * here. It goes through the log like all others, so that receipts, accounting and dead letters show its end.
 */
export const setAside: LoggedOperation<RefusedPartRecord> = {
  name: "setAside",
  record,
  reads: () => noReads,
  fold,
  itemOf: ({ push, part }) => ({ push, part }),
};
