export { isUndone, stayApart } from "./apart.ts";
export { type AttributeClears, dropCleared, noAttributeClears } from "./attributeClears.ts";
export { type Canonicalized, canonicalFormOf, canonicalizeContact } from "./canonicalizeContact.ts";
export { checkContact, oldestEventMs } from "./checkContact.ts";
export { countIdentifiers, fitTogether } from "./contactBounds.ts";
export {
  type ContactRow,
  emptyDocument,
  fromRow,
  type ShownDocument,
  showDocument,
  toDocument,
} from "./contactDocument.ts";
export type { ContactIndex, IdentifiersRead, Origin, Side } from "./contactIndex.ts";
export { mergeExplicitly, splitChannels } from "./explicitMerge.ts";
export { type FormerHolder, FormerHolders, type FormerIdentifier } from "./formerHolders.ts";
export { showInstead } from "./identifierHistory.ts";
export { IdentifierMap } from "./identifierMap.ts";
export { MERGES_PER_RECORD_MAX, mayMerge, mergeInto, survivorOf } from "./merge.ts";
export { type MergeDone, type MergedAsAsked, mergeAsAsked, moveOrdersAhead, type OrdersMoved } from "./mergeAsAsked.ts";
export { type ContactsBefore, mergeChanges } from "./mergeChanges.ts";
export { fromMergeRow, joinedAtOf, toMergeDocument } from "./mergeDocument.ts";
export { mergeMembersAsAsked } from "./mergeMembersAsAsked.ts";
export { applyMessageEvent, changesChannel, messageNamed } from "./messageEvents.ts";
export {
  addIdentifier,
  addressOf,
  type ChannelState,
  type Contact,
  dropIdentifier,
  isValidChannel,
  type SubscribeStatus,
  subscribeStatusOf,
} from "./model.ts";
export { moveMembers } from "./moveMembers.ts";
export { identifiersTouched, readIdentifiers } from "./readIdentifiers.ts";
export type { Resolution } from "./resolution.ts";
export { resolveContact } from "./resolveContact.ts";
export { addressedChannels, shownMembers } from "./shownMembers.ts";
export { type Split, splitContact } from "./splitContact.ts";
export type { BeforeMerge, CartsOfPair, MergeRecord, MergeRow, SplitRecord, StoredMerge } from "./storedMerge.ts";
export { lastWriteOf, subscriptionTimestamp, type TimestampName } from "./subscriptionTimestamps.ts";
export { type MergeToUndo, restoreMembers, undoMerge } from "./undoMerge.ts";
export { type ContactRequest, type ContactWritten, writeContact } from "./writeContact.ts";
export { effectOf } from "./writeEffect.ts";
export { writeMembers } from "./writeMembers.ts";
export type { WriteTally } from "./writing.ts";
