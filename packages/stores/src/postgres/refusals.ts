export {
  deleteQuarantined,
  insertQuarantined,
  type QuarantinedPlace,
  readQuarantined,
} from "./quarantine.ts";
export {
  deleteClosedRejects,
  type LockedReject,
  lockRejects,
  noteRedriveFailed,
  noteRedriven,
  type RedriveOutcome,
  type RejectKey,
  type RejectOutcome,
  type RejectRow,
  type RejectStatus,
  readRejectPlaces,
  readRejectStatuses,
  rescheduleRejects,
  settleRejects,
  takeDueRejects,
  upsertRejects,
} from "./rejects.ts";
