import { requestOf } from "@headwater/api-client";
import { Option } from "commander";
import { z } from "zod";
import { addDryRun, parseWith } from "../options.ts";
import { addDestination } from "../requests/destination.ts";
import { addTimeout } from "../requests/wait.ts";
import type { LeafCommand } from "./command.ts";
import { runExport } from "./runExport.ts";
import { addTimeframe, timeframeOf } from "./timeframe.ts";

const FORMS = ["csv", "txt", "json", "jsonl"] as const;
const VIEWS = { message: "by_message", day: "by_message", type: "by_message_type", total: "as_total" } as const;
const TYPES = ["all", "batch", "automation", "orchestration"] as const;
const BASES = ["sent", "event"] as const;

const schema = z.object({
  from: z.string().optional(),
  to: z.string().optional(),
  basis: z.enum(BASES).optional(),
  type: z.enum(TYPES).optional(),
  channel: z.string().optional(),
  tags: z.string().optional(),
  by: z.enum(["message", "day", "type", "total"]).default("message"),
  totals: z.boolean().default(false),
  form: z.enum(FORMS).default("csv"),
  out: z.string().optional(),
  idempotencyKey: z.string().min(1).optional(),
});

/** Writes the numbers of messages as a report. */
export const exportMessages: LeafCommand = {
  usage: "messages",
  summary: "Export the numbers of messages: starts the job, waits for it and downloads the file.",
  examples: [
    "headwater export messages --by day > days.csv",
    "headwater export messages --from 2026-03-01 --to 2026-04-01 --totals > march.csv",
    "headwater export messages --from 2026-03-01 --to 2026-04-01 --type automation --by day --form jsonl",
  ],
  options: (command) =>
    addDryRun(
      addTimeout(
        addTimeframe(addDestination(command))
          .addOption(new Option("--basis <basis>", "what lies between: sends, or all events").choices(BASES))
          .addOption(new Option("--type <type>", "of messages").choices(TYPES))
          .option("--channel <key>", "only messages of this channel")
          .option("--tags <tags>", "only messages with one of these tags, with commas between")
          .addOption(
            new Option("--by <rows>", "a row a message, a day of automated ones, a type, or one row")
              .choices(Object.keys(VIEWS))
              .default("message"),
          )
          .option("--totals", "a last row for all messages")
          .addOption(new Option("--form <form>", "of the file").choices(FORMS).default("csv"))
          .option("--out <file>", "write it there; default standard output")
          .option("--idempotency-key <key>", "makes a retry of this command safe; default: a new key"),
      ),
    ),
  async run(call, _, input) {
    const { form, out, idempotencyKey, ...wanted } = parseWith(schema, input);
    const body = { ...bodyOf(wanted), exportType: form };
    await runExport(call, { request: requestOf("createMessageexport", { body, idempotencyKey }), given: input, out });
  },
};

type Wanted = Omit<z.output<typeof schema>, "form" | "out" | "idempotencyKey">;

function bodyOf({ from, to, basis, type, channel, tags, by, totals }: Wanted): object {
  return {
    timeframe: timeframeOf({ from, to }),
    ...(basis !== undefined && { timeframeBasis: basis }),
    ...(type !== undefined && { type }),
    ...(channel !== undefined && { selected_channel: channel }),
    ...(tags !== undefined && { selected_message_tags: tags.split(",").map((tag) => tag.trim()) }),
    viewMode: VIEWS[by],
    rollupAutomations: by !== "day",
    includeTotalsRow: totals,
  };
}
