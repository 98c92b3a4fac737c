import type { Resource } from "../requests/run.ts";
import { filter, member } from "./filters.ts";

const MEMBERS = [member("--name <name>", "name", "what people call it")];
const NUMBERS = [
  filter("--from <date>", "start_date", "first day, in the account's time zone"),
  filter("--to <date>", "end_date", "last day, included"),
  filter("--channel <key>", "channel_key", "only messages of this channel"),
  filter("--channel-type <type>", "channel_type", "only messages of channels of this type"),
];
const COLUMNS = ["message_id", "subject", "sent_at", "stats.sent", "stats.opens_unique", "stats.clicks_unique"];

export const programs: Resource = {
  name: "programs",
  summary: "Messages whose numbers are reported together.",
  leaves: [
    {
      usage: "ls",
      summary: "List programs.",
      examples: ["headwater programs ls", "headwater programs ls --sort name --json"],
      operation: "listPrograms",
      columns: ["id", "name", "messages", "orchestrations", "lm"],
    },
    {
      usage: "get <id>",
      summary: "Show one program.",
      examples: ["headwater programs get 65f0c0ffee65f0c0ffee00b1"],
      operation: "getProgram",
    },
    {
      usage: "create",
      summary: "Create a program: `messages` or `orchestrations` in a file.",
      examples: ["headwater programs create --name 'Spring sale' -f program.json"],
      operation: "createProgram",
      input: "needed",
      options: MEMBERS,
    },
    {
      usage: "update <id>",
      summary: "Change a program.",
      examples: ["headwater programs update 65f0c0ffee65f0c0ffee00b1 --name 'Spring sale 2026'"],
      operation: "updateProgram",
      input: "needed",
      options: MEMBERS,
    },
    {
      usage: "delete <id>",
      summary: "Delete a program. The numbers of its messages stay.",
      examples: ["headwater programs delete 65f0c0ffee65f0c0ffee00b1 --yes"],
      operation: "deleteProgram",
      confirm: ([id]) => `Delete the program ${id}?`,
    },
    {
      usage: "summary <id>",
      summary: "Show the numbers of a program's messages together.",
      examples: ["headwater programs summary 65f0c0ffee65f0c0ffee00b1 --from 2026-03-01 --to 2026-03-31"],
      operation: "getProgramsummary",
      options: NUMBERS,
    },
    {
      usage: "stats <id>",
      summary: "List the numbers of a program by message, of automated messages by day.",
      examples: ["headwater programs stats 65f0c0ffee65f0c0ffee00b1 --from 2026-03-01 --to 2026-03-31 --all -o csv"],
      operation: "listProgramstats",
      columns: [...COLUMNS, "stats.orders", "stats.revenue"],
      options: NUMBERS,
    },
  ],
};
