import type { Resource } from "../requests/run.ts";
import { between, filter, list, member, SENDS } from "./filters.ts";

/** Members that say what became of a message. */
const REPORTED = ["id", "name", "status", "reason", "sendTime", "audienceTotal", "delivery", "stats", "asOf"] as const;

const NAME = member("--name <name>", "name", "what people call it");

export const messages: Resource = {
  name: "messages",
  summary: "Batch messages: one message to an audience.",
  leaves: [
    {
      usage: "ls",
      summary: "List batch messages, and days and hours of templates.",
      examples: ["headwater messages ls", "headwater messages ls --status processing --json"],
      operation: "listBatchmessages",
      columns: ["id", "name", "channel", "status", "sendTime", "audienceTotal", "tags"],
      options: [
        filter("--status <status>", "status", "in this state"),
        filter("--tags <tags>", "tags", "with one of these tags"),
        filter("--template <mdtID>", "mdtID", "days and hours of this template"),
        ...between("sendTime", "sent"),
      ],
    },
    {
      usage: "get <id>",
      summary: "Show one message, and what became of its audience.",
      examples: ["headwater messages get 65f0c0ffee65f0c0ffee00e1 --fields status,delivery"],
      operation: "getBatchmessage",
    },
    {
      usage: "create",
      summary: "Create a draft: its members in a file.",
      examples: ["headwater messages create --name Sale -f sale.json"],
      operation: "createBatchmessage",
      input: "needed",
      options: [NAME],
    },
    {
      usage: "update <id>",
      summary: "Change a draft.",
      examples: ["headwater messages update 65f0c0ffee65f0c0ffee00e1 -f sale.json"],
      operation: "updateBatchmessage",
      input: "needed",
      options: [NAME],
    },
    {
      usage: "render <id> <contactID>",
      summary: "Render a message for a contact.",
      examples: ["headwater messages render 65f0c0ffee65f0c0ffee00e1 ada@example.com --json"],
      operation: "renderBatchmessage",
    },
    {
      usage: "test <id>",
      summary: "Send a message to a few people, as a test.",
      examples: ["headwater messages test 65f0c0ffee65f0c0ffee00e1 -f people.json"],
      operation: "sendTestBatchmessage",
      input: "needed",
    },
    {
      usage: "send <id>",
      summary: "Send a draft at once, or at its schedule.",
      examples: ["headwater messages send 65f0c0ffee65f0c0ffee00e1 --yes"],
      operation: "sendBatchmessage",
      confirm: ([id]) => `Send the message ${id} to its audience?`,
    },
    {
      usage: "pause <id>",
      summary: "Pause a message.",
      examples: ["headwater messages pause 65f0c0ffee65f0c0ffee00e1"],
      operation: "pauseBatchmessage",
    },
    {
      usage: "resume <id>",
      summary: "Let a paused message go on.",
      examples: ["headwater messages resume 65f0c0ffee65f0c0ffee00e1"],
      operation: "resumeBatchmessage",
    },
    {
      usage: "cancel <id>",
      summary: "Cancel a message. What was sent stays sent.",
      examples: ["headwater messages cancel 65f0c0ffee65f0c0ffee00e1 --yes"],
      operation: "cancelBatchmessage",
      confirm: ([id]) => `Cancel the message ${id}?`,
    },
    {
      usage: "unschedule <id>",
      summary: "Make a scheduled message a draft again.",
      examples: ["headwater messages unschedule 65f0c0ffee65f0c0ffee00e1"],
      operation: "unscheduleBatchmessage",
    },
    {
      usage: "sends <id>",
      summary: "List who got a message, who did not, and why.",
      examples: ["headwater messages sends 65f0c0ffee65f0c0ffee00e1 --state skipped"],
      operation: "listBatchmessagesends",
      columns: ["cID", "address", "state", "reason", "attempts", "at"],
      options: SENDS,
    },
    {
      usage: "retry <id>",
      summary: "Try sends of a message again that have failed or are unknown.",
      examples: [
        "headwater messages retry 65f0c0ffee65f0c0ffee00e1 --yes --wait",
        "headwater messages retry 65f0c0ffee65f0c0ffee00e1 --states failed,unknown --yes",
      ],
      operation: "retryBatchmessagesends",
      options: [list("--states <states>", "states", "in these states: failed (the default), unknown, deferred")],
      defaults: () => ({ states: ["failed"] }),
      confirm: ([id]) => `Try sends of the message ${id} again?`,
    },
    {
      usage: "report <id>",
      summary: "Show a message's numbers; `headwater export messages` has those of many.",
      examples: ["headwater messages report 65f0c0ffee65f0c0ffee00e1 --json"],
      operation: "getBatchmessage",
      query: () => ({ fields: REPORTED.join(",") }),
    },
    {
      usage: "experiment <id>",
      summary: "Show the numbers of a message's experiment by variant.",
      examples: ["headwater messages experiment 65f0c0ffee65f0c0ffee00e1 --json"],
      operation: "getExperimentperformance",
    },
    {
      usage: "delete <id>",
      summary: "Delete a message that is a draft or scheduled.",
      examples: ["headwater messages delete 65f0c0ffee65f0c0ffee00e1 --yes"],
      operation: "deleteBatchmessage",
      confirm: ([id]) => `Delete the message ${id}?`,
    },
  ],
};
