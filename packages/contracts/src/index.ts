export {
  LOG_RETENTION_DAYS,
  type LogCategory,
  type LogColumn,
  type LogLevel,
  logCategories,
  logCategoryOfJob,
  logColumns,
  logLevels,
} from "./accountLog.ts";
export { formerPhones, internationalPhone, isAddressOf } from "./addresses.ts";
export { apiKeyLimits, type NewApiKeyBody, newApiKeyBody } from "./apiKeys.ts";
export {
  ARRAY_ITEMS_DEFAULT,
  type ArrayEdit,
  type AttributeRule,
  type AttributeRules,
  type AttributeType,
  type AttributeValidators,
  arrayItemsMax,
  attributeType,
  attributeTypes,
  attributeValidators,
  castAttribute,
  castWritten,
  isArrayEdit,
  isGeo,
  isObject,
  SCALAR_CHARACTERS_MAX,
  toGeo,
  toNumber,
} from "./attributeRules.ts";
export {
  type ActivityChangeEvent,
  type CartChangeEvent,
  type ChangeEvent,
  type ContactChangeEvent,
  changeFrames,
  type FieldChange,
  type MembershipChangeEvent,
  type OrderChangeEvent,
  readActivityChange,
  readChangeEvent,
  type SupplementChangeEvent,
  suppressesTriggers,
  triggerMark,
} from "./changeEvents.ts";
export { type ContactMergeOptions, contactMergeOptions } from "./contactMerge.ts";
export { wrongCurrency } from "./currency.ts";
export { type DataJobTarget, dataJobTargets } from "./dataJobs.ts";
export { type DateFormat, type DatePart, dateParts, parseDateFormat } from "./dateFormat.ts";
export type { RejectKey, RejectRow, RejectStatus } from "./deadLetters.ts";
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
export { bounded, formatDecimal, parseDecimal, shortDecimal, type TenThousandths, timesCount } from "./decimal.ts";
export { type EnabledTest, findEnabledTest } from "./enabledTest.ts";
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
export {
  type BanditWeights,
  type ExperimentDecision,
  type ExperimentMetric,
  type ExperimentState,
  type ExperimentType,
  experimentMetrics,
  experimentTypes,
  readExperimentState,
  splitReasons,
} from "./experimentState.ts";
export {
  EXPORT_COMPRESSIONS,
  EXPORT_FORMATS,
  type ExportCompression,
  type ExportedContactColumn,
  type ExportFormat,
  type ExportHeader,
  type ExportOptions,
  type ExportWatermark,
  exportOptions,
  exportWatermark,
  type OrderColumn,
  orderColumns,
} from "./exports.ts";
export { checkFreeForm } from "./freeForm.ts";
export {
  addressNames,
  canonicalHash,
  findsByHash,
  type HashEncoding,
  type HashedName,
  hashAddress,
  hashEncodings,
  hashedFormsOf,
  hashedNameOf,
  isAddressName,
  isAttachable,
  isHashedName,
  readHashedName,
} from "./hashedIdentifiers.ts";
export {
  addressedChannel,
  byCodePoint,
  canonicalChannel,
  canonicalIdentifier,
  canonicalName,
  canonicalValue,
  defaultChannels,
  IDENTIFIER_VALUE_CHARACTERS_MAX,
  type Identifier,
  type IdentifierRules,
  type IdentifiersResult,
  identifierOfChannel,
  identifierRules,
  identifiersInOrder,
  identityText,
  isMissingValue,
  isNotAnAddress,
  isPlaceholder,
  missingIdentifier,
  partitionOf,
} from "./identifiers.ts";
export {
  activityImportOptions,
  contactImportOptions,
  type ImportedChannelMember,
  importedChannelMembers,
  importOptions,
  type OutsideSource,
  orderImportOptions,
  readChannelColumn,
  sourceTransports,
} from "./importJobs.ts";
export type { ItemWarning } from "./itemWarning.ts";
export type { ImportJobName } from "./jobs.ts";
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
export { toJson } from "./json.ts";
export { type KeyRights, rightsBeyond, scopesBeyond, sharedLimits } from "./keyRights.ts";
export { asciiDomain, carriesSender, mailDomain, withAsciiDomain } from "./mailDomain.ts";
export {
  MC_ID_PATTERN,
  type McId,
  MESSAGE_ID_PATTERN,
  type MessageTypeName,
  messageTypes,
  parseMcId,
  parseMessageId,
} from "./mcId.ts";
export { checkNames, isLongName, isLostNumber, longName, lostNumber, refuseLostNumbers } from "./memberNames.ts";
export { mergePatch } from "./mergePatch.ts";
export {
  MESSAGE_DATA_LIMITS,
  type MessageDataCondition,
  type MessageDataSource,
  messageData,
  messageDataSource,
  recordConditions,
} from "./messageData.ts";
export {
  linkParameterBounds,
  type MessagingSettings,
  messagingSettings,
  PREFERENCE_LISTS_MAX,
  writtenMessagingSettings,
} from "./messagingSettings.ts";
export { orderMembers } from "./orderMembers.ts";
export { type PartnerSettings, partnerSettings } from "./partnerSettings.ts";
export { exactProductMembers, type ProductBody, productBody } from "./productBody.ts";
export { openReceipt, type Receipt, type ReceiptPart, sealReceipt } from "./receipt.ts";
export {
  completeStorage,
  inputSecrets,
  type JobStorage,
  jobSecretsContext,
  jobStorage,
  partSecrets,
  type RequestedStorage,
  requestedStorage,
  type SecretsInput,
} from "./requestedStorage.ts";
export { type Role, roles } from "./roles.ts";
export { JsonSet, sameJson } from "./sameJson.ts";
export {
  classOfSegment,
  coversScope,
  isReservedForPeople,
  isScope,
  type SegmentClass,
  segmentClasses,
} from "./scopes.ts";
export { sendHoursOf } from "./sendHours.ts";
export { INTENTS_TOPIC, type PublishedIntent, type PublishedIntents, readIntents } from "./sendIntents.ts";
export {
  type Account,
  type AccountSettings,
  accountSettings,
  defaultSettings,
  type IdentifierName,
} from "./settings.ts";
export { withoutSecrets } from "./settingsView.ts";
export type { ChannelWrite, ContactWrite } from "./shapes.ts";
export * as shapes from "./shapes.ts";
export {
  type AzureStorage,
  isStorageType,
  type S3Storage,
  type SftpStorage,
  type Storage,
  type StorageType,
  storageLocationMembers,
  storagePathMembers,
  storageSecrets,
  storageShapes,
  storageTypes,
} from "./storage.ts";
export { expandPath, fixedFolder, type PathFacts, pathPlaceholders, unknownPlaceholders } from "./storagePath.ts";
export {
  isSealedPath,
  last4Of,
  noticeContext,
  type SecretView,
  type StoredSecret,
  type StoredStorages,
  savedKey,
  secretMembers,
  secretView,
  storageSecretContext,
  storagesView,
  storedSecret,
  webhookSecretContext,
} from "./storedSecrets.ts";
export { parsePlainTime, parseTime, toPlainTime, toTimestamp } from "./time.ts";
export { canonicalTimezone, writtenTimezone, wrongTimezone } from "./timezone.ts";
export {
  ACCOUNTING_GROUP,
  ACTIVITIES_GROUP,
  ACTIVITIES_TOPIC,
  AUTOMATION_GROUP,
  CHANGE_TOPICS,
  type ConsumerGroup,
  DEAD_LETTERS_TOPIC,
  GROUP_NAMES,
  type GroupName,
  groupsThatWrite,
  HISTORY_GROUP,
  INTAKE_TOPICS,
  kafkaGroupOf,
  PRODUCTS_GROUP,
  PROJECTOR_GROUPS,
  type ProjectorGroup,
  STATE_GROUP,
  type StoreName,
  streamOfTopic,
  type TopicName,
  TRIGGER_TOPICS,
  topicOfStream,
  topicsReadBy,
  topology,
} from "./topology.ts";
export {
  eventsUrlContext,
  isDomain,
  isSecretHeader,
  type ProviderEvents,
  type ProviderEventType,
  providerEventMembers,
  providerEvents,
  providerEventTypes,
  type StoredTransportSettings,
  storedTransports,
  type TransportType,
  transportLimits,
  transportSecretContext,
  transportTypes,
  writtenTransports,
} from "./transports.ts";
export {
  frameVersionPrefix,
  HIGHEST_VERSION,
  isVersion,
  type LogPosition,
  lanes,
  positionOfVersion,
  timeOfVersion,
  timestampOfVersion,
  type Version,
  versionBefore,
  versionFromUuid,
  versionOf,
  versionPositionsBefore,
  ZERO_VERSION,
} from "./version.ts";
export {
  activityEventTypes,
  WEBHOOK_BODY_BYTES_MAX,
  type WebhookEventType,
  webhookContext,
  webhookEventTypes,
} from "./webhookEvents.ts";
export type { Json, Written } from "./written.ts";
