import type { Resource } from "../requests/run.ts";
import { filter, member } from "./filters.ts";

const REASONS = ["manual", "hard-bounce", "complaint", "erased-unsubscribed"] as const;

export const suppressions: Resource = {
  name: "suppressions",
  summary: "Addresses and domains that get no messages.",
  leaves: [
    {
      usage: "ls",
      summary: "List suppressed addresses and domains, the newest first.",
      examples: ["headwater suppressions ls --reason complaint", "headwater suppressions ls --address ada@example.com"],
      operation: "listSuppressions",
      columns: ["id", "channel", "address", "domain", "reason", "note", "ct"],
      options: [
        filter("--channel <key>", "channel", "of this channel"),
        { ...filter("--reason <reason>", "reason", "for this reason"), choices: REASONS },
        filter("--address <address>", "address", "of this address, also when it is kept as a hash alone"),
      ],
    },
    {
      usage: "add",
      summary: "Suppress an address or a domain.",
      examples: [
        "headwater suppressions add --address ada@example.com --note 'asked by phone'",
        "headwater suppressions add --domain example.com",
      ],
      operation: "createSuppression",
      input: "optional",
      defaults: () => ({ channel: "email" }),
      options: [
        member("--channel <key>", "channel", "channel that gets nothing; default email"),
        member("--address <address>", "address", "address that gets nothing"),
        member("--domain <domain>", "domain", "domain whose addresses get nothing"),
        { ...member("--reason <reason>", "reason", "default manual, which holds for all messages"), choices: REASONS },
        member("--note <text>", "note", "a word on why"),
      ],
    },
    {
      usage: "rm <id>",
      summary: "Lift a suppression.",
      examples: ["headwater suppressions rm 65f0c0ffee65f0c0ffee0001 --yes"],
      operation: "deleteSuppression",
      confirm: ([id]) => `Lift the suppression ${id}? The address gets messages again.`,
    },
  ],
};
