import { webhooksTest } from "../commands/webhooksTest.ts";
import { webhooksVerify } from "../commands/webhooksVerify.ts";
import type { Resource } from "../requests/run.ts";
import { between, filter, list, member } from "./filters.ts";

const MEMBERS = [
  member("--url <url>", "url", "https address that events are posted to"),
  list("--events <types>", "events", "types of events, with commas between"),
  list("--actions <names>", "filter.actions", "names of activities, with commas between"),
  member("--description <text>", "description", "what it is for"),
];

export const webhooks: Resource = {
  name: "webhooks",
  summary: "Addresses that events are posted to, signed.",
  leaves: [
    {
      usage: "ls",
      summary: "List webhooks.",
      examples: ["headwater webhooks ls", "headwater webhooks ls --json"],
      operation: "listWebhooks",
      columns: ["id", "url", "events", "enabled", "lastDelivery.at", "lastDelivery.status"],
    },
    {
      usage: "get <id>",
      summary: "Show one webhook. Its secret is never shown.",
      examples: ["headwater webhooks get 65f0c0ffee65f0c0ffee00f1"],
      operation: "getWebhook",
    },
    {
      usage: "create",
      summary: "Create a webhook. Its secret is shown this once.",
      examples: [
        "headwater webhooks create --url https://hooks.example.com/a --events job.done,job.failed",
        "headwater webhooks create --url https://hooks.example.com/b --events activity.created --actions purchase",
      ],
      operation: "createWebhook",
      input: "needed",
      options: MEMBERS,
    },
    {
      usage: "update <id>",
      summary: "Change a webhook, or rotate its secret.",
      examples: [
        "headwater webhooks update 65f0c0ffee65f0c0ffee00f1 --set-json enabled=false",
        "headwater webhooks update 65f0c0ffee65f0c0ffee00f1 --set-json rotateSecret=true",
      ],
      operation: "updateWebhook",
      input: "needed",
      options: MEMBERS,
    },
    {
      usage: "delete <id>",
      summary: "Delete a webhook, with its secrets and what waits for it.",
      examples: ["headwater webhooks delete 65f0c0ffee65f0c0ffee00f1 --yes"],
      operation: "deleteWebhook",
      confirm: ([id]) => `Delete the webhook ${id}?`,
    },
    {
      usage: "deliveries <id>",
      summary: "List what was posted, what waits and what has failed, the latest first.",
      examples: ["headwater webhooks deliveries 65f0c0ffee65f0c0ffee00f1 --state failed"],
      operation: "listWebhookdeliveries",
      columns: ["id", "event", "at", "state", "tries", "next"],
      options: [
        { ...filter("--state <state>", "state", "in this state"), choices: ["pending", "delivered", "failed", "kept"] },
        filter("--event <type>", "event", "of this type"),
        ...between("at", "happened"),
      ],
    },
    {
      usage: "replay <id>",
      summary: "Post what has failed or was kept again, under its ids, by a job.",
      examples: [
        "headwater webhooks replay 65f0c0ffee65f0c0ffee00f1 --from 2026-01-09 --to 2026-01-10",
        "headwater webhooks replay 65f0c0ffee65f0c0ffee00f1 --from 2026-01-09 --to 2026-01-10 --states delivered",
      ],
      operation: "replayWebhook",
      options: [
        member("--from <time>", "from", "time of the first event"),
        member("--to <time>", "to", "time behind the last one"),
        list("--states <states>", "states", "states of deliveries, with commas between"),
        list("--events <types>", "events", "types of events, with commas between"),
      ],
    },
    webhooksTest,
    webhooksVerify,
  ],
};
