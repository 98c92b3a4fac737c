export { emitPresent } from "./changeEvents/emitPresent.ts";
export { emitKeptMembers } from "./changeEvents/keptMembers.ts";
export { toChangeTexts, toOutboxRows, toPieces } from "./changeEvents/outboxRows.ts";
export { type ReemitOptions, reemitState } from "./changeEvents/reemitState.ts";
export { toChangeEvents } from "./changeEvents/toChangeEvents.ts";
export type { CriteriaPorts } from "./criteria/criteriaPorts.ts";
export { type Checking, type Examined, examineCriteria } from "./criteria/examineCriteria.ts";
export { meantCriteria, pinsOf, readAudiences } from "./criteria/knownAudiences.ts";
export { channelsUnlessKnown, readContext, readSeenFields } from "./criteria/knownNames.ts";
export { createSeenNames, findNeverSeen, type NeverSeen, type SeenNames } from "./criteria/neverSeen.ts";
export { isBadRegex } from "./criteria/refusedRegexes.ts";
export { versionAfter } from "./criteria/versionAfter.ts";
export {
  type MessageData,
  type MessageDataAsked,
  type MessageDataOutcome,
  messageDataOf,
} from "./messageData/messageDataOf.ts";
export { declareProduct } from "./products/declareProduct.ts";
export { checkProduct, type DeclaredMembers, toStored as toStoredProduct } from "./products/storedProduct.ts";
export { type UpsertedProduct, upsertProducts } from "./products/upsertProducts.ts";
export { BehindLocks } from "./reads/behindLocks.ts";
export { loadReads, loadRows } from "./reads/loadRows.ts";
export type { BatchEnd, Fence, FencedResult, StateStore, StateTransaction } from "./stateStore.ts";
export type { BatchChanges, ContactChange, ErasureChange } from "./unitOfWork/batchChanges.ts";
export { BatchState } from "./unitOfWork/batchState.ts";
export type { CartChange } from "./unitOfWork/cartChanges.ts";
export type { ListClear } from "./unitOfWork/listChanges.ts";
export {
  emptyRows,
  type LoadedRows,
  listIdKey,
  listNameKey,
  membershipKey,
  orderKey,
  StaleState,
  type StateRead,
  supplementKey,
  supplementRecordKey,
} from "./unitOfWork/loadedRows.ts";
export type { OrderChange } from "./unitOfWork/orderChanges.ts";
export { type FoldedState, type FoldRun, foldOver, runFold } from "./unitOfWork/runFold.ts";
export type { SupplementRecordChange } from "./unitOfWork/supplementChanges.ts";
export { TransactionOutlived } from "./unitOfWork/transactionOutlived.ts";
export { isWriteConflict, pauseAfterConflict, retryOnConflict, WriteConflict } from "./unitOfWork/writeConflict.ts";
export { type Beside, contactRecords, readBeside, type Showing, withLists } from "./views/contactRecords.ts";
export { type ContactView, put, type ShownBy, type ShownRow, viewContact, viewRow } from "./views/contactView.ts";
export { decimalNumber } from "./views/decimalNumber.ts";
export { shownCart } from "./views/shownCart.ts";
export { orderViewer } from "./views/shownOrder.ts";
export { shownProduct } from "./views/shownProduct.ts";
export { type ReadRecord, shownSupplementRecord, toReadRecord } from "./views/shownSupplementRecord.ts";
export { decimalsBy } from "./views/writtenDigits.ts";
export { allOf } from "./writes/allOf.ts";
export { attributesExceeded, isAttributesExceeded } from "./writes/attributeRoom.ts";
export { bringUpLists, dropUnusedLists } from "./writes/bringUpLists.ts";
export {
  type ApartPair,
  type CanonicalizedContacts,
  type Canonicalizing,
  canonicalizeContacts,
} from "./writes/canonicalizeContacts.ts";
export { defineWritten, writeAndDefine } from "./writes/defineWritten.ts";
export { createDefinitions, type Define } from "./writes/definitions.ts";
export { removeAttribute } from "./writes/removeAttribute.ts";
export { nothingMoved, type StoredChanges, storeChanges } from "./writes/storeBatch.ts";
export { makeSupplementIndexes, stepSupplementIndexes } from "./writes/supplementIndexes.ts";
export { type StateWrite, type WritePorts, type Written, writeState } from "./writes/writeState.ts";
