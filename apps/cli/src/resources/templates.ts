import type { Resource } from "../requests/run.ts";
import { between, filter, member, SENDS } from "./filters.ts";

const NAME = member("--name <name>", "name", "what people call it");
const TO = member("--to <address>", "to.email", "address of one recipient; several stand in the file");

export const templates: Resource = {
  name: "templates",
  summary: "Templates of automated messages.",
  leaves: [
    {
      usage: "ls",
      summary: "List templates.",
      examples: ["headwater templates ls", "headwater templates ls --tags welcome --json"],
      operation: "listTemplates",
      columns: ["key", "name", "channel", "status", "draftContent", "triggerTypesEnabled", "tags", "lm"],
      options: [filter("--tags <tags>", "tags", "with one of these tags"), ...between("ct", "created")],
    },
    {
      usage: "get <key>",
      summary: "Show one template.",
      examples: ["headwater templates get welcome-2026 --fields message"],
      operation: "getTemplate",
    },
    {
      usage: "create <key>",
      summary: "Create a template: its `message` in a file.",
      examples: ["headwater templates create welcome-2026 --name Welcome -f welcome.json"],
      operation: "createTemplate",
      input: "needed",
      body: ([key]) => ({ key }),
      options: [NAME, member("--channel <key>", "channel", "channel of its messages")],
    },
    {
      usage: "update <key>",
      summary: "Change a template. Its content is published, or a draft with `draftContent`.",
      examples: ["headwater templates update welcome-2026 -f welcome.json"],
      operation: "updateTemplate",
      input: "needed",
      options: [NAME],
    },
    {
      usage: "publish <key>",
      summary: "Publish the draft of a template.",
      examples: ["headwater templates publish welcome-2026"],
      operation: "publishTemplate",
    },
    {
      usage: "render <key> <contactID>",
      summary: "Render the published content for a contact.",
      examples: [
        "headwater templates render welcome-2026 ada@example.com --json",
        "headwater templates render welcome-2026 ada@example.com --draft",
      ],
      operation: "renderTemplate",
      options: [{ flags: "--draft", about: "render the draft" }],
      operationFor: (_, provided) =>
        "draft" in provided && provided.draft === true ? "renderTemplatedraft" : "renderTemplate",
    },
    {
      usage: "send <key>",
      summary: "Send the published content to one recipient or up to 100.",
      examples: [
        "headwater templates send order-2026 --to ada@example.com --set mergeData.orderNumber=A-1007 --yes",
        "headwater templates send order-2026 -f recipients.json --yes",
      ],
      operation: "sendTemplate",
      input: "needed",
      options: [TO],
      confirm: ([key]) => `Send the template ${key}?`,
    },
    {
      usage: "senddraft <key>",
      summary: "Send the draft as a test, which counts nowhere.",
      examples: ["headwater templates senddraft order-2026 --to me@example.com"],
      operation: "sendTemplatedraft",
      input: "needed",
      options: [TO],
    },
    {
      usage: "sends <key>",
      summary: "List who got a template, who did not, and why.",
      examples: ["headwater templates sends order-2026 --state failed"],
      operation: "listTemplatesends",
      columns: ["cID", "address", "state", "reason", "attempts", "at"],
      options: SENDS,
    },
    {
      usage: "experiment <key>",
      summary: "Show the numbers of a template's published experiment by variant.",
      examples: ["headwater templates experiment welcome-2026 --json"],
      operation: "getTemplateexperiment",
    },
    {
      usage: "delete <key>",
      summary: "Delete a template. The numbers of its sends stay.",
      examples: ["headwater templates delete welcome-2026 --yes"],
      operation: "deleteTemplate",
      confirm: ([key]) => `Delete the template ${key}?`,
    },
  ],
};
