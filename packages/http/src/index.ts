export type { Answer } from "./answers/answer.ts";
export { atPath } from "./answers/atPath.ts";
export { toErrorAnswer } from "./answers/errorAnswer.ts";
export { keepFor } from "./answers/keptAnswer.ts";
export { type RefusalOptions, refusal } from "./answers/refusal.ts";
export { everyMember, type MemberNames, parseExact } from "./body/exactNumbers.ts";
export { findForbidden, findForbiddenInSlices, mayHoldForbidden } from "./body/forbidden.ts";
export type { ParsedJson } from "./body/jsonAssembly.ts";
export { notJson, parseJsonBody } from "./body/jsonBody.ts";
export { type BodyRules, badEncoding } from "./body/refusedBody.ts";
export { parseInSlices } from "./body/slicedJson.ts";
export { textOf } from "./body/text.ts";
export type { DocumentInfo } from "./docs/openApi.ts";
export { parsedBy, publishedAs, type Refuse } from "./docs/publishedAs.ts";
export { authenticationFailed } from "./guards/authentication.ts";
export { type Caller, mayUse, missingRight } from "./guards/caller.ts";
export { createFirstLookups, type FindMany } from "./guards/firstLookups.ts";
export { createKeyCache, type KeyCache, type KeyCacheOptions } from "./guards/keyCache.ts";
export type { PlainHttp } from "./guards/peers.ts";
export type { RateClass } from "./guards/rateLimiter.ts";
export { checkHttpEnvironment, httpEnvironment, httpOptionsOf, listenAddressOf } from "./httpEnvironment.ts";
export type {
  AnswerReader,
  Begun,
  IdempotencyStore,
  KeyedCall,
  LeaseStore,
  StoredAnswer,
} from "./idempotency/idempotencyStore.ts";
export { findAnswer, findClaim, type Keyed, type KeyedAnswer, runKeyed } from "./idempotency/runKeyed.ts";
export {
  type BodyParser,
  type ReadBody,
  type ReadMembers,
  readByHandler,
  readMembers,
  schemaOfBody,
} from "./routes/bodyParser.ts";
export { type BodyWarning, readOnlyWarnings, withWarnings } from "./routes/bodyWarnings.ts";
export {
  type AuthenticatedCall,
  defineOwnAuthRoute,
  definePublicRoute,
  definePublicStreamRoute,
  defineRawRoute,
  defineRoute,
  defineStreamRoute,
  type RouteDefinition,
  type TypedCall,
} from "./routes/defineRoute.ts";
export { isDryRun } from "./routes/dryRunQuery.ts";
export { bodyRefusal, queryRefusal } from "./routes/problems.ts";
export type { AnswerDescription, Call, DryRunRules, JsonSchema, ReadResource, Route } from "./routes/route.ts";
export { createHttpServer, type HttpServer, type HttpServerOptions } from "./server/httpServer.ts";
export type { AnsweredCall } from "./server/serverParts.ts";
