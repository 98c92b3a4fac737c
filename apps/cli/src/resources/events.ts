import { eventsTail } from "../commands/eventsTail.ts";
import type { Resource } from "../requests/run.ts";
import { EVENT_COLUMNS, eventFilters } from "./eventFilters.ts";
import { between, filter, member } from "./filters.ts";

export const events: Resource = {
  name: "events",
  summary: "Activities of contacts.",
  leaves: [
    {
      usage: "log <action>",
      summary: "Log an event of a contact.",
      examples: [
        "headwater events log webinar-attended --email ada@example.com --set properties.webinar=Streams",
        "headwater events log signup --cid 65f0c0ffee65f0c0ffee0001 --time 2026-01-09T22:47:12Z --uid signup-17",
      ],
      operation: "createContactactivity",
      input: "optional",
      body: ([action]) => ({ action }),
      options: [
        member("--email <address>", "email", "of the contact with this address"),
        member("--cid <cID>", "cID", "of this contact"),
        member("--time <time>", "time", "when; default now"),
        member("--uid <uid>", "UID", "makes a repeat harmless"),
      ],
    },
    {
      usage: "ls",
      summary: "List events, the latest first.",
      examples: [
        "headwater events ls --email ada@example.com",
        "headwater events ls --action browse --since 2026-01-09 --all -o ndjson",
      ],
      operation: "listContactactivities",
      columns: EVENT_COLUMNS,
      options: [...eventFilters, ...between("time", "that happened")],
    },
    {
      usage: "summary",
      summary: "Show the actions of the account's events with counts, first and last time, and properties.",
      examples: ["headwater events summary", "headwater events summary --from 2026-01-01 --json"],
      operation: "summarizeContactactivities",
      rowsIn: "data",
      columns: ["action", "count", "first", "last", "properties"],
      options: [
        filter("--from <time>", "from", "not before: ISO 8601"),
        filter("--to <time>", "to", "before: ISO 8601"),
      ],
    },
    eventsTail,
  ],
};
