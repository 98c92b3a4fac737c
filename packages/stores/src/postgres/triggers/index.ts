export {
  dropEventTrigger,
  type EventTrigger,
  readEventTriggers,
  setEventTrigger,
  type TemplateId,
} from "./eventTriggers.ts";
export {
  dropRecurringTrigger,
  dueRecurringTriggers,
  lockDueTrigger,
  moveRecurringTrigger,
  type RecurringAudience,
  type RecurringTrigger,
  readRecurringTrigger,
  setRecurringTrigger,
} from "./recurringTriggers.ts";
export {
  countOpenSendsOfRun,
  countOpenSendsOfRuns,
  deleteOldRuns,
  endTemplateRun,
  hasRunSince,
  insertRunSends,
  insertTemplateRun,
  lockTemplateRun,
  type RunKey,
  readLostRuns,
  type TemplateRun,
  takeRunChunks,
} from "./templateRuns.ts";
export {
  accountsOfTriggeredEvents,
  deleteOldTriggeredEvents,
  insertTriggeredEvents,
  type TriggeredEvent,
  takeTriggeredEvents,
} from "./triggeredEvents.ts";
