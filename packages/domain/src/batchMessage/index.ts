export { type Aggregation, type ChildOf, childMessage, parseChildId } from "./childMessage.ts";
export {
  ANSWER_MARKS,
  ANSWERS_JUDGED,
  type MessageHealth,
  RENDER_MARKS,
  RENDERS_JUDGED,
  type SelfPause,
  selfPauseOf,
} from "./health.ts";
export {
  type BatchMessageCall,
  type BatchMessageStatus,
  batchMessageStatuses,
  callsAllowed,
  isFinalMessage,
  judgeCall,
  statusAfter,
  statusOfSend,
} from "./transitions.ts";
export { zoneOfContact } from "./zoneOfContact.ts";
export { earliestInZones, instantInZone, type WallClock } from "./zones.ts";
