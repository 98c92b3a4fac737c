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
  type RecurringTrigger,
  readRecurringTrigger,
  setRecurringTrigger,
} from "./recurringTriggers.ts";
export { countOpenSendsOfRun, countOpenSendsOfRuns, insertRunSends, takeRunChunks } from "./runSends.ts";
export {
  deleteOldRuns,
  dropRunChunks,
  endTemplateRun,
  hasRunSince,
  insertTemplateRun,
  lockTemplateRun,
  readLostRuns,
  type TemplateRun,
} from "./templateRuns.ts";
export {
  accountsOfTriggeredEvents,
  deleteOldTriggeredEvents,
  insertTriggeredEvents,
  type TriggeredEvent,
  takeTriggeredEvents,
} from "./triggeredEvents.ts";
export { noteUncomparedTriggers } from "./uncomparedTriggers.ts";
