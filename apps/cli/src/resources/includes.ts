import type { Resource } from "../requests/run.ts";
import { filter, member } from "./filters.ts";

const MEMBERS = [
  member("--name <name>", "name", "key name"),
  member("--content <text>", "content", "what stands in its place"),
];

export const includes: Resource = {
  name: "includes",
  summary: "Content blocks that messages share.",
  leaves: [
    {
      usage: "ls",
      summary: "List includes.",
      examples: ["headwater includes ls", "headwater includes ls --key footer-2026 --json"],
      operation: "listIncludes",
      columns: ["key", "name", "tags", "lastUpdate"],
      options: [filter("--key <key>", "key", "with this key")],
    },
    {
      usage: "get <key>",
      summary: "Show one include.",
      examples: ["headwater includes get footer-2026 --fields content"],
      operation: "getInclude",
    },
    {
      usage: "create <key>",
      summary: "Create an include.",
      examples: ['headwater includes create footer-2026 --content "$(cat footer.html)"'],
      operation: "createInclude",
      input: "optional",
      body: ([key]) => ({ key }),
      options: MEMBERS,
    },
    {
      usage: "update <key>",
      summary: "Change an include.",
      examples: ["headwater includes update footer-2026 -f footer.json"],
      operation: "updateInclude",
      input: "needed",
      options: MEMBERS,
    },
    {
      usage: "delete <key>",
      summary: "Delete an include. An include in use is refused.",
      examples: ["headwater includes delete footer-2026 --yes"],
      operation: "deleteInclude",
      confirm: ([key]) => `Delete the include ${key}?`,
    },
  ],
};
