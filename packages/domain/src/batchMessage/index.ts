export {
  type BatchMessageCall,
  type BatchMessageStatus,
  batchMessageStatuses,
  isFinalMessage,
  judgeCall,
  statusAfter,
  statusOfSend,
} from "./transitions.ts";
export { earliestInZones, instantInZone, type WallClock } from "./zones.ts";
