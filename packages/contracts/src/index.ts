export { apiKeyLimits, coversScope, isScope, type NewApiKeyBody, newApiKeyBody, scopeResources } from "./apiKeys.ts";
export { changeFrames } from "./changes/schemas.ts";
export { isUndone, stayApart } from "./contact/apart.ts";
export { type AttributeClears, dropCleared, noAttributeClears } from "./contact/attributeClears.ts";
export {
  ARRAY_ITEMS_USUAL,
  type AttributeRule,
  type AttributeRules,
  type AttributeType,
  type AttributeValidators,
  attributeType,
  attributeTypes,
  attributeValidators,
  castAttribute,
  isObject,
  SCALAR_CHARACTERS_MAX,
  toNumber,
} from "./contact/attributeRules.ts";
export { channelMoment, lastWriteOf, type MomentName } from "./contact/channelMoments.ts";
export { countIdentifiers, fitTogether } from "./contact/contactBounds.ts";
export type { ContactIndex, IdentifiersRead, Origin, Side } from "./contact/contactIndex.ts";
export {
  type ContactRow,
  emptyDocument,
  fromRow,
  type ShownDocument,
  showDocument,
  toDocument,
} from "./contact/document.ts";
export { mergeExplicitly, splitChannels } from "./contact/explicitMerge.ts";
export { showInstead } from "./contact/formerly.ts";
export { Members } from "./contact/members.ts";
export { MERGES_PER_RECORD_MAX, mayMerge, mergeInto, survivorOf } from "./contact/merge.ts";
export { mergeMembersAsAsked } from "./contact/mergeAsAsked.ts";
export { type ContactsBefore, mergeChanges } from "./contact/mergeChanges.ts";
export {
  addressOf,
  type ChannelState,
  type Contact,
  type SubscribeStatus,
  subscribeStatusOf,
} from "./contact/model.ts";
export { moveMembers } from "./contact/moveMembers.ts";
export { identifiersTouched, readIdentifiers } from "./contact/readIdentifiers.ts";
export {
  type Resolution,
  resolveContact,
} from "./contact/resolve.ts";
export { sameJson } from "./contact/sameJson.ts";
export { addressedChannels, shownMembers } from "./contact/shownMembers.ts";
export { type MergeToUndo, restoreMembers, undoMerge } from "./contact/undoMerge.ts";
export { lastWrite, type WriteTally, writeMembers } from "./contact/write.ts";
export type { Json, Written } from "./contact/written.ts";
export { type ContactMergeOptions, contactMergeOptions } from "./contactMerge.ts";
export {
  type DeadLetterSelection,
  type DeadLetterStatus,
  type DiscardRequest,
  deadLetterLimits,
  deadLetterSelection,
  deadLetterStatuses,
  discardRequest,
  type JsonPatch,
  jsonPatch,
  type RedriveRequest,
  redriveRequest,
} from "./deadLetters.ts";
export { formatDecimal, parseDecimal, shortDecimal, type TenThousandths, timesCount } from "./decimal.ts";
export {
  type ErrorCode,
  type ErrorDetail,
  errorStatuses,
  lossCodes,
  type RejectionCode,
  rejectionCodes,
  type SkipCode,
  skipCodes,
  type WarningCode,
  warningCodes,
} from "./errorCodes.ts";
export { checkFreeForm } from "./freeForm.ts";
export {
  byCodePoint,
  canonicalName,
  canonicalValue,
  IDENTIFIER_VALUE_CHARACTERS_MAX,
  type Identifier,
  type IdentifierRules,
  type IdentifiersResult,
  identifierOfChannel,
  identifierRules,
  identifiersInOrder,
  identityText,
  partitionOf,
} from "./identifiers.ts";
export {
  emptyJobResult,
  isFinalJob,
  type JobInput,
  type JobName,
  type JobResult,
  type JobStatus,
  jobInputs,
  jobStatuses,
} from "./jobs.ts";
export { type KeyRights, rightsBeyond, scopesBeyond, sharedLimits } from "./keyRights.ts";
export { checkNames, isLongName, longName } from "./memberNames.ts";
export { mergePatch } from "./mergePatch.ts";
export { type PartnerSettings, partnerSettings, type ShownSecret, withoutSecrets } from "./partnerSettings.ts";
export {
  declareMembers,
  emptyProduct,
  type Product,
  parseProduct,
  type Sighting,
  seeProduct,
  shownMembers as shownProductMembers,
  toProductDocument,
} from "./product/product.ts";
export { sightingsOfCart, sightingsOfOrder } from "./product/sightings.ts";
export { openReceipt, type Receipt, type ReceiptPart, sealReceipt } from "./receipt.ts";
export {
  type Account,
  type AccountSettings,
  accountSettings,
  defaultSettings,
  type IdentifierName,
} from "./settings.ts";
export * as shapes from "./shapes.ts";
export { parseTime, toTimestamp } from "./time.ts";
export {
  ACCOUNTING_GROUP,
  ACTIVITIES_GROUP,
  CHANGE_TOPICS,
  type ConsumerGroup,
  DEAD_LETTERS_TOPIC,
  GROUP_NAMES,
  type GroupName,
  groupsThatWrite,
  HISTORY_GROUP,
  INTAKE_TOPICS,
  kafkaGroupOf,
  laneOfTopic,
  PRODUCTS_GROUP,
  STATE_GROUP,
  type StoreName,
  type TopicName,
  topicOfLane,
  topicsReadBy,
  topology,
} from "./topology.ts";
export {
  frameVersionPrefix,
  isVersion,
  type LogPosition,
  lanes,
  positionOfVersion,
  timeOfVersion,
  type Version,
  versionFromUuid,
  versionOf,
  ZERO_VERSION,
} from "./version.ts";
