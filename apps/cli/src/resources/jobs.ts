import { jobsWait } from "../commands/jobsWait.ts";
import type { Resource } from "../requests/run.ts";
import { filter } from "./filters.ts";

const statistic = { ...filter("--include <what>", "include", "more about each"), choices: ["statistic"] };

export const jobs: Resource = {
  name: "jobs",
  summary: "Long work: exports, merges, clears, redrives.",
  leaves: [
    {
      usage: "ls",
      summary: "List jobs, the latest first.",
      examples: ["headwater jobs ls --status Failed", "headwater jobs ls --name MergeContacts --since 2026-01-09"],
      operation: "listJobs",
      columns: ["id", "jobName", "status", "completedItems", "totalItems", "times.start", "times.end"],
      options: [
        filter("--name <name>", "jobName", "of this kind"),
        {
          ...filter("--status <status>", "status", "in this state"),
          choices: ["Scheduled", "Pending", "Processing", "Throttled", "Done", "Failed", "Canceled"],
        },
        filter("--since <time>", "times[start][gte]", "started at or after"),
        filter("--until <time>", "times[start][lt]", "started before"),
        statistic,
      ],
    },
    {
      usage: "get <id>",
      summary: "Show one job.",
      examples: ["headwater jobs get 65f0c0ffee65f0c0ffee0001 --json"],
      operation: "getJob",
      options: [statistic],
    },
    jobsWait,
    {
      usage: "cancel <id>",
      summary: "Cancel a job that has not ended.",
      examples: ["headwater jobs cancel 65f0c0ffee65f0c0ffee0001 --yes"],
      operation: "cancelJob",
      confirm: ([id]) => `Cancel the job ${id}?`,
    },
    {
      usage: "rejections <id>",
      summary: "List the rows that a job rejected, with the reasons.",
      examples: ["headwater jobs rejections 65f0c0ffee65f0c0ffee0001 --all -o ndjson > rejected.ndjson"],
      operation: "listJobrejections",
      columns: ["line", "code", "path", "message", "record", "deadLetter"],
    },
  ],
};
