export { deleteLogEntries, insertLogEntry, insertLogEntryAtCommit, type NewLogEntry } from "./accountLog.ts";
export { addCallCounts, type CallCount, moveCallCounts } from "./callCounts.ts";
export { createCallTally, type RecordedCall } from "./callTally.ts";
export { type LogEntry, type LogFilters, pageLogEntries } from "./pageLog.ts";
export { recordCalls } from "./recordCalls.ts";
