export {
  dropEventTrigger,
  type EventTrigger,
  readEventTriggers,
  setEventTrigger,
  type TemplateId,
} from "./eventTriggers.ts";
export {
  accountsOfTriggeredEvents,
  deleteOldTriggeredEvents,
  insertTriggeredEvents,
  type TriggeredEvent,
  takeTriggeredEvents,
} from "./triggeredEvents.ts";
