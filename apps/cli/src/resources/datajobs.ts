import type { Resource } from "../requests/run.ts";
import { filter, member } from "./filters.ts";

const MEMBERS = [member("--name <name>", "name", "what people call it")];

export const datajobs: Resource = {
  name: "datajobs",
  summary: "Mappings of what others send, or of what is read somewhere, to records.",
  leaves: [
    {
      usage: "ls",
      summary: "List data jobs.",
      examples: ["headwater datajobs ls", "headwater datajobs ls --status failed --json"],
      operation: "listDatajobs",
      columns: ["key", "name", "kind", "target.type", "enabled", "status", "lastRunMarker"],
      options: [filter("--status <status>", "status", "whose latest run is in this state")],
    },
    {
      usage: "get <key>",
      summary: "Show one data job. Its secrets stay hidden.",
      examples: ["headwater datajobs get shop-orders"],
      operation: "getDatajob",
    },
    {
      usage: "create",
      summary: "Create a data job: its mapping, target and source in a file.",
      examples: ["headwater datajobs create -f shop-orders.json"],
      operation: "createDatajob",
      input: "needed",
      options: [member("--key <key>", "key", "letters, digits, dashes and underscores"), ...MEMBERS],
    },
    {
      usage: "update <key>",
      summary: "Change a data job. Runs under way keep what it was.",
      examples: ["headwater datajobs update shop-orders -f mapping.json"],
      operation: "updateDatajob",
      input: "needed",
      options: MEMBERS,
    },
    {
      usage: "delete <key>",
      summary: "Delete a data job. A run under way is canceled.",
      examples: ["headwater datajobs delete shop-orders --yes"],
      operation: "deleteDatajob",
      confirm: ([key]) => `Delete the data job ${key}?`,
    },
    {
      usage: "transform <key>",
      summary: "Map a body, and accept what it becomes.",
      examples: [
        "headwater datajobs transform shop-lines -f order.json",
        "headwater datajobs transform shop-lines -f order.json --check",
      ],
      operation: "transformDatajob",
      input: "needed",
      options: [
        { flags: "--check", query: "validateOnly", about: "write nothing, and show the verdicts" },
        { flags: "--all-items", query: "verbose", about: "list accepted records, too" },
      ],
    },
    {
      usage: "trigger <key>",
      summary: "Start a run, which `headwater jobs cancel` cancels.",
      examples: ["headwater datajobs trigger shop-orders"],
      operation: "triggerDatajob",
    },
    {
      usage: "runs <key>",
      summary: "List the runs of a data job, the newest first.",
      examples: ["headwater datajobs runs shop-orders --all"],
      operation: "listDatajobruns",
      columns: ["runMarker", "jobId", "status", "startedAt", "endedAt"],
    },
    {
      usage: "stats <name>",
      summary: "Show the numbers of a run by its dabID, or of the latest run of a data job.",
      examples: [
        "headwater datajobs stats shop-orders",
        "headwater datajobs stats account:65f0c0ffee65f0c0ffee0201:rm202606180920",
      ],
      operation: "getDatajobstats",
    },
  ],
};
