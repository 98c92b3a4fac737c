/** Categories of the account log, spelt as its exports show them. Some have entries only once their part of the product writes any. */
export const logCategories = [
  "API",
  "Automated messages",
  "Batch messages",
  "Data Automation",
  "Exports",
  "Imports",
  "Inbound",
  "Jobs",
  "JS Listener",
  "System",
] as const;
export type LogCategory = (typeof logCategories)[number];

/** Levels, the least grave one first: counts, what was done, what was refused or partly rejected, what failed. */
export const logLevels = ["Debug", "Info", "Warning", "Error"] as const;
export type LogLevel = (typeof logLevels)[number];

/** Days for which entries of the account log are kept. */
export const LOG_RETENTION_DAYS = 400;

/** The category of a job's start and end. */
export function logCategoryOfJob(
  jobName: string,
): Extract<LogCategory, "Data Automation" | "Exports" | "Imports" | "Jobs"> {
  if (jobName === "DataAutomationProcessList") return "Data Automation";
  if (/export/i.test(jobName)) return "Exports";
  return /import/i.test(jobName) ? "Imports" : "Jobs";
}

/** Columns of the account log's export, in their order. */
export const logColumns = [
  "id",
  "at",
  "category",
  "level",
  "action",
  "message",
  "actor",
  "actorName",
  "ip",
  "requestId",
  "jobId",
  "target",
  "status",
  "details",
  "actorKind",
  "members",
] as const;
export type LogColumn = (typeof logColumns)[number];
