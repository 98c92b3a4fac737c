import { transportsCheck } from "../commands/transportsCheck.ts";
import type { Resource } from "../requests/run.ts";
import { filter, member } from "./filters.ts";

const NAME = member("--name <name>", "name", "what people call it");

export const transports: Resource = {
  name: "transports",
  summary: "Ways out for messages: mail servers, and HTTP services for other channels.",
  leaves: [
    {
      usage: "ls",
      summary: "List transports.",
      examples: ["headwater transports ls", "headwater transports ls --channel email --json"],
      operation: "listTransports",
      columns: ["id", "name", "channel", "type", "default", "enabled"],
      options: [filter("--channel <key>", "channel", "only those of this channel")],
    },
    {
      usage: "get <id>",
      summary: "Show one transport. Secrets are never shown.",
      examples: ["headwater transports get 65f0c0ffee65f0c0ffee00c1"],
      operation: "getTransport",
    },
    {
      usage: "create",
      summary: "Create a transport: `settings` in a file.",
      examples: ["headwater transports create --name Mail --channel email --type smtp -f smtp.json"],
      operation: "createTransport",
      input: "needed",
      options: [
        NAME,
        member("--channel <key>", "channel", "channel that it carries"),
        member("--type <type>", "type", "smtp, http or log"),
      ],
    },
    {
      usage: "update <id>",
      summary: "Change a transport. Settings that are absent stay.",
      examples: ["headwater transports update 65f0c0ffee65f0c0ffee00c1 -f settings.json"],
      operation: "updateTransport",
      input: "needed",
      options: [NAME],
    },
    transportsCheck,
    {
      usage: "delete <id>",
      summary: "Delete a transport. One in use is refused.",
      examples: ["headwater transports delete 65f0c0ffee65f0c0ffee00c1 --yes"],
      operation: "deleteTransport",
      confirm: ([id]) => `Delete the transport ${id}?`,
    },
  ],
};
