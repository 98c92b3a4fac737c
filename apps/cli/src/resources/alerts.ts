import type { Resource } from "../requests/run.ts";
import { filter, list, member } from "./filters.ts";

const MEMBERS = [
  member("--type <type>", "type", "number that is watched, such as bounce-rate or lag-seconds"),
  member("--message <msID>", "msID", "batch message that is watched"),
  member("--template <mdtID>", "mdtID", "template that is watched"),
  list("--notify <addresses>", "notify", "addresses that get a mail, with commas between"),
  { ...member("--period <minutes>", "period", "minutes that are looked back over"), value: Number },
];
const BODY = `{"type": "bounce-rate", "enabled": true, "msID": "65f0c0ffee65f0c0ffee00e1", "notify": ["ops@example.com"], "conditions": [{"operator": "gt", "value": 0.05}]}`;

export const alerts: Resource = {
  name: "alerts",
  summary: "Conditions on numbers of messages and of the account, and who gets a mail once they hold.",
  leaves: [
    {
      usage: "ls",
      summary: "List alerts with their states.",
      examples: ["headwater alerts ls", "headwater alerts ls --entity batch-message"],
      operation: "listAlerts",
      columns: ["id", "type", "msID", "mdtID", "enabled", "state", "value", "since"],
      options: [
        filter("--message <msID>", "msID", "on this batch message"),
        filter("--template <mdtID>", "mdtID", "on this template"),
        {
          ...filter("--entity <entity>", "entity", "on batch messages, or on templates"),
          choices: ["batch-message", "message-automation"],
        },
      ],
    },
    {
      usage: "get <id>",
      summary: "Show one alert with its state.",
      examples: ["headwater alerts get 65f0c0ffee65f0c0ffee0111"],
      operation: "getAlert",
    },
    {
      usage: "create",
      summary: "Create an alert.",
      examples: [
        `headwater alerts create --type lag-seconds --notify ops@example.com --set-json enabled=true --set-json 'conditions=[{"operator":"gt","value":600}]'`,
        `echo '${BODY}' | headwater alerts create --file -`,
      ],
      operation: "createAlert",
      input: "needed",
      options: MEMBERS,
    },
    {
      usage: "update <id>",
      summary: "Change an alert.",
      examples: ["headwater alerts update 65f0c0ffee65f0c0ffee0111 --set-json enabled=false"],
      operation: "updateAlert",
      input: "needed",
      options: MEMBERS,
    },
    {
      usage: "delete <id>",
      summary: "Delete an alert.",
      examples: ["headwater alerts delete 65f0c0ffee65f0c0ffee0111 --yes"],
      operation: "deleteAlert",
      confirm: ([id]) => `Delete the alert ${id}?`,
    },
    {
      usage: "test",
      summary: "Show when an alert would have been raised in the last seven days. Nothing is stored or sent.",
      examples: [
        `headwater alerts test --type jobs-failed --notify ops@example.com --set-json enabled=true --set-json 'conditions=[{"operator":"gt","value":0}]'`,
      ],
      operation: "simulateAlert",
      input: "needed",
      columns: ["from", "to", "value"],
      options: MEMBERS,
    },
  ],
};
