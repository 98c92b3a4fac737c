export { createBinder } from "./compile/binder.ts";
export { CLOCK_SKEW_MS } from "./compile/clock.ts";
export {
  type CompiledCriteria,
  type CompiledNumbers,
  type ContactColumns,
  compileCriteria,
  compileNumbers,
} from "./compile/compileCriteria.ts";
export { aliasRevisionSql } from "./compile/merges.ts";
export { CATEGORIES_MAX, type NameInCriteria } from "./compile/names.ts";
export { namesInCriteria } from "./compile/namesInCriteria.ts";
export type { CompileOptions, NumbersPage } from "./compile/query.ts";
export type { NoteCode } from "./compile/scope.ts";
export { dateSql } from "./compile/textDates.ts";
export { type CriteriaNode, type FieldType, isLogic } from "./criteria.ts";
export { criteriaSchema, formsWith } from "./grammar/criteriaSchema.ts";
export { criteriaExamples } from "./grammar/examples.ts";
export { attributeValuesSql, declaredValueSql } from "./leaves/field/attributeValues.ts";
export { isFieldLeaf } from "./leaves/field/field.ts";
export { addressField, channelsOf, GEO_PARTS, geoPartOf, knownFields } from "./leaves/field/fields.ts";
export type { LeafDefinition, LeafTable, ReferenceDefinition } from "./leaves/leaf.ts";
export { leaves } from "./leaves/leaves.ts";
export { type FormerList, isListLeaf, type ListReference } from "./leaves/list/list.ts";
export { createListNames, type ListNames, listIdOf, listIdsByText, withLists } from "./leaves/list/listNames.ts";
export type { SupplementReference } from "./leaves/supplement/supplement.ts";
export { CRITERIA_LIMITS } from "./limits.ts";
export { isMachineSql } from "./messages/isMachineSql.ts";
export { compileMessageFacts, factList, factText, type MessageFactsRow } from "./messages/messageFacts.ts";
export {
  compileMessageNumbers,
  compileRevenueByMinute,
  type NumbersQuestion,
  type NumbersSql,
  type RevenueAsked,
} from "./messages/messageNumbers.ts";
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
export { type Coordinates, type CriteriaContext, postalLocation, type SavedAudience } from "./parse/context.ts";
export { indexNames, nearestNames } from "./parse/nearest.ts";
export { CRITERIA_KINDS, type InvalidCriteria, type ParsedCriteria, parseCriteria } from "./parse/parseCriteria.ts";
export { type CriteriaError, type CriteriaErrorCode, nearestFirst } from "./parse/problems.ts";
export {
  type CriteriaReferences,
  criteriaReferences,
  type ListReferences,
  type PostalCode,
} from "./parse/references.ts";
export { type NamedRegex, regexesOf } from "./parse/regexes.ts";
export {
  type CompiledTrend,
  compileTrend,
  compileTrendMembers,
  compileTrendValues,
  type TrendSegments,
} from "./trend/compileTrend.ts";
export type { SegmentSource } from "./trend/segments.ts";
export { TREND_GRAINS, type TrendGrain, trendBounds } from "./trend/trendBounds.ts";
export type { TrendOptions } from "./trend/trendQuery.ts";
