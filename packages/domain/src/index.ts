export type { FoldState, List, Membership, Order } from "./foldState.ts";
export { toJson } from "./json.ts";
export { applied, type Outcome, rejected, skipped, unknownContact, unresolved, upserted } from "./outcome.ts";
export { noReads, type StateReads } from "./stateReads.ts";
