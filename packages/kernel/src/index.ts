export { type BackOff, backOffMs, pause, sleepUntilAborted } from "./backOff.ts";
export { boundedDetails, boundedMessage, DETAILS_FOUND_MAX, noteCut } from "./boundedDetails.ts";
export { type Cache, createCache } from "./cache.ts";
export { ageMs, type Clock, instantOf, type ManualClock, type Moment, manualClock, systemClock } from "./clock.ts";
export { type Environment, loadConfig } from "./config.ts";
export { createDependencyChecks, DEPENDENCY_TIMEOUT_MS, type Dependency } from "./dependencies.ts";
export { isDeeperInSlices, isDeeperThan } from "./depth.ts";
export { type ErrorDetail, HeadwaterError, type HeadwaterErrorInit } from "./errors.ts";
export { classifyFailure, type FailureKind, isInfrastructure } from "./failures.ts";
export { createFairGate, type FairGate, type FairGateOptions } from "./fairShare/fairGate.ts";
export { createFairQueue, type FairQueue, type FlowKey } from "./fairShare/fairQueue.ts";
export { createFlowContext, type FlowContext, SYSTEM_FLOW } from "./fairShare/flowContext.ts";
export { allTaken, overShare } from "./fairShare/overShare.ts";
export { createSlotShares, type SlotShares } from "./fairShare/slotShares.ts";
export { watchGates } from "./fairShare/watchGates.ts";
export { createHousekeeping, type HousekeepingOptions } from "./housekeeping.ts";
export {
  contactIdOf,
  erasedHashOf,
  erasureCheckOf,
  formerHashOf,
  hashApiKey,
  newAccountId,
  newAlertId,
  newApiKey,
  newAudienceId,
  newBatchMessageId,
  newDataJobId,
  newJobId,
  newOrchestrationId,
  newProgramId,
  newRequestId,
  newSuppressionId,
  newTemplateId,
  newTransportId,
  newWantId,
  newWebhookId,
  supplementRecordIdOf,
  wantIdOf,
} from "./ids.ts";
export { hasLongerJson } from "./jsonLength.ts";
export {
  createLifecycle,
  type Lifecycle,
  type LifecycleOptions,
  type LifecycleStage,
  type Part,
  type ProcessHandle,
} from "./lifecycle.ts";
export { createLogger, LOG_LEVELS, type Logger, type LoggerOptions, type LogLevel } from "./logger.ts";
export { watchLoopTurns } from "./loopTurns.ts";
export {
  type Counter,
  createMetrics,
  type Gauge,
  type GaugeInit,
  type Histogram,
  type HistogramInit,
  type MetricInit,
  type Metrics,
} from "./metrics.ts";
export { nearestName } from "./nearestName.ts";
export {
  containsNetworks,
  createNetworks,
  intersectNetworks,
  isNetwork,
  type Networks,
  networkOf,
} from "./networks.ts";
export {
  type HealthCheck,
  type OperationsOptions,
  type OperationsServer,
  startOperations,
} from "./operationsServer.ts";
export { OUTBOUND_REFUSED } from "./outbound/addressGuard.ts";
export { createOperatorsOutbound, createOutbound, type Outbound, type OutboundOptions } from "./outbound/outbound.ts";
export { outboundEnvironment, privateAddressRefused, transportEnvironment } from "./outbound/outboundEnvironment.ts";
export { IMPOSSIBLE_REQUEST, type OutsideResponse, requestOutside } from "./outbound/requestOutside.ts";
export { giveWay } from "./priority.ts";
export { createProcess, type Process, type ProcessConfig, type ProcessOptions } from "./process.ts";
export { type RetryOptions, retryForever, withTimeout } from "./retry.ts";
export { createSealer, readSealer, readSettingsKeys, type Sealer } from "./sealing.ts";
export { listedWord } from "./shapes/listedWords.ts";
export { safeParse } from "./shapes/safeParse.ts";
export { firstMistakes, pointerOf, toDetail, toDetails } from "./shapes/shapeDetails.ts";
export {
  ignoredMembersOf,
  type ReadOnlyMember,
  type UnknownMember,
  type UnknownPath,
  unknownMembersOf,
  unknownMemberWarnings,
} from "./shapes/unknownMembers.ts";
export { giveTurn, mapInSteps, runAtOnce, runInSlices, type Sliced } from "./slices.ts";
export {
  hasForbiddenText,
  jsonBeginning,
  nameOfPointerStep,
  pointerStep,
  storableText,
  withoutTrailing,
} from "./text.ts";
export {
  type Context,
  extractTraceparent,
  injectTraceparent,
  type Span,
  startTracing,
  type Tracer,
  type Tracing,
  type TracingOptions,
  tracer,
} from "./tracing.ts";
export { createWorkLoop, type WorkLoop, type WorkLoopOptions } from "./workLoop.ts";
