export {
  type CartChanged,
  type ContactChanged,
  type FoldEvent,
  type FoldResult,
  type MembershipChanged,
  memberChanged,
  noChangeEvents,
  type SupplementRecordChanged,
  type SuppressionChanged,
} from "./foldEvents.ts";
export type { FoldState, List, Membership, Order } from "./foldState.ts";
export { toJson } from "./json.ts";
export {
  applied,
  type CreationRight,
  type Folded,
  folded,
  type Outcome,
  rejected,
  skipped,
  unknownContact,
  unresolved,
  upserted,
} from "./outcome.ts";
export { noReads, type StateReads } from "./stateReads.ts";
