export { isAttributesExceeded } from "./attributeRoom.ts";
export { bringUpLists, dropUnusedLists } from "./bringUpLists.ts";
export type { CartChangeRecord, SupplementChangeRecord } from "./cartAndRecordChanges.ts";
export {
  type ContactChangeRecord,
  type MembershipChangeRecord,
  type OrderChangeRecord,
  toChangeRecords,
} from "./changeRecords.ts";
export { defineWritten } from "./defineWritten.ts";
export { createDefinitions, type Define } from "./definitions.ts";
export { tellKeptMembers } from "./keptMembers.ts";
export { loadNeeds, loadRows } from "./loadRows.ts";
export { toChangeTexts, toOutboxRows, toPieces } from "./outboxRows.ts";
export { isLostRace, LostRace, pauseAfterRace, retryRaces } from "./races.ts";
export { removeAttribute } from "./removeAttribute.ts";
export { type RetellOptions, retellState } from "./retellState.ts";
export { nothingMoved, type StoredChanges, storeChanges } from "./storeBatch.ts";
export { makeSupplementIndexes, stepSupplementIndexes } from "./supplementIndexes.ts";
export { type StateWrite, type WritePorts, type Written, writeState } from "./writeState.ts";
