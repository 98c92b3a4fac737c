import { audiencesCount, audiencesExplain, audiencesValidate } from "../commands/audiencesCount.ts";
import { audiencesDiff } from "../commands/audiencesDiff.ts";
import { audiencesWhy } from "../commands/audiencesWhy.ts";
import type { Resource } from "../requests/run.ts";
import { filter, member } from "./filters.ts";

const MEMBERS = [
  member("--name <name>", "name", "what people call it"),
  member("--description <text>", "description", "what it is for"),
];

export const audiences: Resource = {
  name: "audiences",
  summary: "Saved audiences, and contacts that match criteria.",
  leaves: [
    {
      usage: "ls",
      summary: "List saved audiences.",
      examples: ["headwater audiences ls", "headwater audiences ls --tags newsletter --json"],
      operation: "listAudiences",
      columns: ["key", "name", "tags", "lastCount", "lm"],
      options: [filter("--tags <tags>", "tags", "with one of these tags, with commas between")],
    },
    {
      usage: "get <key>",
      summary: "Show one saved audience, by its key or id.",
      examples: ["headwater audiences get engaged-30d --fields criteria,problems"],
      operation: "getAudience",
    },
    {
      usage: "create <key>",
      summary: "Save an audience: `name` and `criteria` in a file.",
      examples: ["headwater audiences create engaged-30d -f audience.json"],
      operation: "createAudience",
      input: "needed",
      body: ([key]) => ({ key }),
      options: MEMBERS,
    },
    {
      usage: "update <key>",
      summary: "Change a saved audience.",
      examples: ["headwater audiences update engaged-30d -f audience.json"],
      operation: "updateAudience",
      input: "needed",
      options: MEMBERS,
    },
    {
      usage: "delete <key>",
      summary: "Delete a saved audience. It is refused while something uses it.",
      examples: ["headwater audiences delete engaged-30d --yes"],
      operation: "deleteAudience",
      confirm: ([key]) => `Delete the audience ${key}?`,
    },
    audiencesCount,
    audiencesExplain,
    audiencesValidate,
    audiencesDiff,
    audiencesWhy,
  ],
};
