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
export { followSinkMarks, followStoredMarks, readOutboxPosition, type SinkMarks, takeSinkMarks } from "./sinkMarks.ts";
