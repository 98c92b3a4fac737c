export { claimSends, type DueClaim, holdSends, noteWaiting, type Release, releaseSends } from "./claimSends.ts";
export { endLostSends, type LostSend } from "./endLostSends.ts";
export { type BegunSend, insertSends, lastSendNumbers, type SendBegin, type SendClaim } from "./insertSends.ts";
export {
  deleteOldIntentMarks,
  type IntentMark,
  insertIntentMark,
  restoreIntentMarks,
  unknownIntents,
} from "./intentMarks.ts";
export { deleteOldLostIntents, insertLostIntents, readLostIntents } from "./lostIntents.ts";
export { type MessageChannel, type MessageKey, readMessageChannels } from "./messageChannels.ts";
export { type OldestDueSend, oldestDueSends } from "./oldestDueSends.ts";
export { type Reach, readReached } from "./reachedContacts.ts";
export { freeRecalled, type RecallReason, recallSends } from "./recallSends.ts";
export { findReportedSend, type ReportedSend } from "./reportedSend.ts";
export { KNOWN_DOMAINS } from "./sendDomain.ts";
export {
  contactsWithSend,
  countRecentSends,
  countSendStates,
  countSendStatesOfEach,
  countSends,
  deleteEndedSends,
  type ListedSend,
  pageSends,
  readCountedSends,
  readSend,
  type SendCount,
  type SendFilters,
  type SendsPage,
} from "./sendReads.ts";
export { type NewSend, SEND_STATES, type SendKey, type SendState, type StoredSend } from "./sendRow.ts";
export { expireSends, intendSends, type SendIntent, type SendSettled, settleSends } from "./settleSends.ts";
export {
  deleteDoneWants,
  insertWant,
  insertWants,
  type PlainWant,
  type ReadWant,
  readWants,
  type SendWant,
} from "./wants.ts";
