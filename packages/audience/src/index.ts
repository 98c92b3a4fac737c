export { attributeValuesSql, declaredValueSql } from "./compile/attributeValues.ts";
export { CLOCK_SKEW_MS } from "./compile/clock.ts";
export {
  type CompiledCriteria,
  type CompiledNumbers,
  type ContactColumns,
  compileCriteria,
  compileNumbers,
} from "./compile/compileCriteria.ts";
export type { CompileOptions, NumbersPage } from "./compile/compileOptions.ts";
export { aliasRevisionSql } from "./compile/merges.ts";
export { CATEGORIES_MAX, type NameInCriteria } from "./compile/names.ts";
export { namesInCriteria } from "./compile/namesInCriteria.ts";
export type { NoteCode } from "./compile/scope.ts";
export { dateSql } from "./compile/textDates.ts";
export { type CriteriaNode, type FieldType, isLogic } from "./criteria.ts";
export { criteriaSchema, formsWith } from "./grammar/criteriaSchema.ts";
export { criteriaExamples } from "./grammar/examples.ts";
export { isFieldLeaf } from "./leaves/field/field.ts";
export type { LeafDefinition, LeafTable, ReferenceDefinition } from "./leaves/leaf.ts";
export { leaves } from "./leaves/leaves.ts";
export { type FormerList, isListLeaf, type ListReference } from "./leaves/list/list.ts";
export type { SupplementReference } from "./leaves/supplement/supplement.ts";
export { CRITERIA_LIMITS } from "./limits.ts";
export { isMachineSql } from "./messages/isMachineSql.ts";
export { compileMessageFacts, factList, factText, type MessageFactsRow } from "./messages/messageFacts.ts";
export { compileMessageNumbers, type NumbersQuestion, type NumbersSql } from "./messages/messageNumbers.ts";
export { compileMessageReport, REPORT_COLUMNS } from "./messages/messageReport.ts";
export type { MessageGroup, MessageSelection } from "./messages/messageSelection.ts";
export {
  MESSAGE_RATES,
  MESSAGE_STATS,
  type MessageCounts,
  type MessageRate,
  type MessageStat,
  rateSql,
  ratesOf,
} from "./messages/messageStats.ts";
export {
  type ConversionsRow,
  compileConversions,
  compileNumbersOf,
  compileNumbersOfEach,
  type MessageAsked,
  type MessagesAsked,
  type NumbersOfOneRow,
  type NumbersRow,
} from "./messages/numbersOfMessage.ts";
export { readInstant } from "./moment.ts";
export { OPERATORS } from "./operators.ts";
export {
  addressField,
  type Coordinates,
  type CriteriaContext,
  channelsOf,
  knownFields,
  postalPlace,
  type SavedAudience,
} from "./parse/context.ts";
export { createListNames, type ListNames, listIdsByText } from "./parse/listNames.ts";
export { indexNames, nearestNames } from "./parse/nearest.ts";
export { CRITERIA_KINDS, type InvalidCriteria, type ParsedCriteria, parseCriteria } from "./parse/parseCriteria.ts";
export { GEO_PARTS, geoPartOf } from "./parse/parseField.ts";
export { withLists } from "./parse/pinnedLists.ts";
export { type CriteriaError, type CriteriaErrorCode, nearestFirst } from "./parse/problems.ts";
export {
  type CriteriaReferences,
  criteriaReferences,
  type ListReferences,
  listIdOf,
  type PostalCode,
} from "./parse/references.ts";
export { type NamedRegex, regexesOf } from "./parse/regexes.ts";
export { type CompiledTrend, compileTrend, compileTrendValues, type TrendSegments } from "./trend/compileTrend.ts";
export type { SegmentSource } from "./trend/segments.ts";
export { TREND_GRAINS, type TrendGrain, trendBounds } from "./trend/trendBounds.ts";
export type { TrendOptions } from "./trend/trendQuery.ts";
