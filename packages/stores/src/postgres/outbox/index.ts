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
export { followSinkMarks, type SinkMarks, takeSinkMarks } from "./sinkMarks.ts";
