import { auditVerify } from "../commands/audit.ts";
import type { Resource } from "../requests/run.ts";
import { filter } from "./filters.ts";

export const audit: Resource = {
  name: "audit",
  summary: "The account log: who did what, and whether anybody changed the log.",
  leaves: [
    {
      usage: "ls",
      summary: "List what was done to the account, the latest entry first; without --from the last 90 days.",
      examples: [
        "headwater audit ls --category System",
        "headwater audit ls --action updateProgram --from 2026-01-01 --to 2026-02-01 --all -o ndjson",
      ],
      operation: "listAuditlog",
      columns: ["at", "level", "action", "actorName", "target", "status", "members"],
      options: [
        filter("--actor <id>", "actor", "of this key or person"),
        filter("--action <operation>", "action", "of this operation or kind of job"),
        filter("--category <category>", "category", "of this category: API, Imports, Exports, Jobs, Inbound, System …"),
        filter("--level <level>", "level", "of this level and graver ones: Debug, Info, Warning, Error"),
        filter("--target <id>", "target", "about this id, key or cID"),
        filter("--from <time>", "from", "not before: ISO 8601"),
        filter("--to <time>", "to", "before: ISO 8601"),
      ],
    },
    auditVerify,
  ],
};
