export { type IntakePayload, intakePayload, readIntakePayload } from "./intakePayload.ts";
export {
  appendOutbox,
  deleteOutbox,
  type OutboxPlace,
  type OutboxRow,
  type PublishedOffsets,
  type RelayProgress,
  readOutbox,
  readRelayProgress,
  setRelayProgress,
  unknownPlaces,
} from "./outbox.ts";
export { findRelayHold, type RelayHold, sentenceOfHold } from "./relayHold.ts";
export {
  followStoredWatermark,
  followStreamWatermark,
  readOutboxPosition,
  type StreamWatermark,
  takeStreamWatermark,
} from "./streamWatermarks.ts";
