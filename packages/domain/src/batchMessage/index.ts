export { type Aggregation, type ChildOf, childMessageId } from "./childMessage.ts";
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
export { earliestInZones, instantInZone, type WallClock } from "./zones.ts";
