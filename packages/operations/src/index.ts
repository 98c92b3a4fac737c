export { type BuiltInTable, builtInTables } from "./builtInTables.ts";
export { type CartView, viewCart } from "./cartView.ts";
export { checkContact } from "./contactWrite.ts";
export { activityKey } from "./createContactactivities/fold.ts";
export { createContactactivities } from "./createContactactivities/index.ts";
export type { CreateContactactivitiesRecord } from "./createContactactivities/schema.ts";
export { type AcceptedRecord, acceptItem, type DoorContext, type ItemVerdict, MESSAGE_EVENTS_SCOPE } from "./door.ts";
export { toJson } from "./json.ts";
export { frameSchema, type JsonSchema, subjectOf, toJsonSchema } from "./jsonSchema.ts";
export { type MergeDone, mergeAsAsked, moveOrdersAhead } from "./mergeAsAsked.ts";
export { nearestName } from "./nearestName.ts";
export type { IntakeRecord, InternalOperation, LoggedOperation, Lookups, Operation } from "./operation.ts";
export { noLookups } from "./operation.ts";
export { isDeletedOrder } from "./orderWrite.ts";
export { applied, type Outcome, rejected, skipped } from "./outcome.ts";
export {
  itemOfRecord,
  judgeRedrive,
  type RedriveContext,
  type RedriveVerdict,
  type RefusedRecord,
  redriveText,
  redriveTrial,
  tryRedrives,
} from "./redrive.ts";
export { doorOperations, loggedOperations, operations } from "./registry.ts";
export { setAside } from "./setAside/index.ts";
export { type CartRequest, setCart } from "./setCart.ts";
export { type Split, splitContact } from "./splitContact.ts";
export type { BatchChanges, ContactChange, ErasureChange } from "./state/batchChanges.ts";
export { BatchState } from "./state/batchState.ts";
export { type Cart, type CartRow, fromCartRow, toCartDocument } from "./state/cart.ts";
export type { CartChange } from "./state/cartChanges.ts";
export type { FoldState, List, Membership, Order } from "./state/foldState.ts";
export type { FormerHolder } from "./state/formerHolders.ts";
export { IdentifierMap } from "./state/identifierMap.ts";
export type { ListClear } from "./state/listChanges.ts";
export {
  emptyRows,
  type LoadedRows,
  listIdKey,
  listNameKey,
  membershipKey,
  type Need,
  type OrderRow,
  orderKey,
  StaleState,
  supplementKey,
  supplementRecordKey,
} from "./state/loaded.ts";
export { toMembersDocument } from "./state/membersDocument.ts";
export { MemoryState, type PlacedRecord } from "./state/memory.ts";
export type { MergeRecord, MergeRow, StoredMerge } from "./state/merge.ts";
export { fromMergeRow, joinedAtOf, toMergeDocument } from "./state/mergeDocument.ts";
export type { OrderChange } from "./state/orderChanges.ts";
export { fromOrderRow, toOrderDocument, versionOfOrder } from "./state/orderDocument.ts";
export {
  fromSupplementRecordRow,
  livingRecord,
  type Supplement,
  type SupplementIndexSlot,
  type SupplementRecord,
  type SupplementRecordRow,
} from "./state/supplement.ts";
export type { SupplementRecordChange } from "./state/supplementChanges.ts";
export { checkRecord } from "./supplementCheck.ts";
export {
  type Comparison,
  compareKeys,
  entryKeys,
  isOneKey,
  isWithin,
  type KeyRange,
  narrowed,
  rangeOf,
} from "./supplementKeys.ts";
export { geoTexts } from "./supplementTypes.ts";
export type { UnknownMember } from "./unknownMembers.ts";
export { type OrderDocument, type OrderView, showOrder, viewOrder, type WriteDecimal } from "./upsertOrder/view.ts";
export { type ContactRequest, type ContactWritten, writeContact } from "./writeContact.ts";
export {
  changeOrder,
  createOrder,
  type OrderRequest,
  type OrderWritten,
  orderLookups,
  removeOrder,
  standingOrder,
} from "./writeOrder.ts";
export {
  addRecord,
  changeRecord,
  clearSupplement,
  deleteRecord,
  type RecordRequest,
  type RecordWritten,
  recordLookups,
  standingRecord,
} from "./writeSupplement.ts";
