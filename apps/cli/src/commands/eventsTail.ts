import { members, type QueryValue, type Row } from "@headwater/api-client";
import { pause } from "@headwater/kernel";
import { z } from "zod";
import type { Call } from "../call.ts";
import { parseWith } from "../options.ts";
import { checkFields } from "../output/fields.ts";
import { createRowWriter, type RowWriter } from "../output/rowWriter.ts";
import { pick } from "../output/show.ts";
import { parseSeconds } from "../requests/limits.ts";
import { EVENT_COLUMNS, eventFilters } from "../resources/eventFilters.ts";
import type { LeafCommand } from "./command.ts";

/** Events may come later than others that happened after them: each check goes back so far, and leaves out what was shown. */
const OVERLAP_MS = 30_000;
const DISPLAYED_MAX = 100_000;
const INTERVAL_SECONDS = 2;

const schema = z.object({
  action: z.string().optional(),
  email: z.string().optional(),
  cid: z.string().optional(),
  since: z.string().optional(),
  interval: z.number().default(INTERVAL_SECONDS),
  for: z.number().default(Number.POSITIVE_INFINITY),
});

export const eventsTail: LeafCommand = {
  usage: "tail",
  summary: "Show events as they arrive, until interrupted.",
  examples: [
    "headwater events tail",
    "headwater events tail --action browse --since 2026-01-09T22:00:00Z -o ndjson",
    "headwater events tail --for 60 -o csv",
  ],
  options: (command) => {
    for (const { flags, about } of eventFilters) command.option(flags, about);
    return command
      .option("--since <time>", "begin with those that happened then; default now")
      .option("--interval <seconds>", `how often to poll (default ${INTERVAL_SECONDS})`, parseSeconds)
      .option("--for <seconds>", "end after so long; default never", parseSeconds);
  },
  async run(call, _args, input) {
    const { action, email, cid, since, interval, for: seconds } = parseWith(schema, input);
    const { fields } = call.options;
    if (fields !== undefined) checkFields(fields, members.listContactactivities);
    const writer = createRowWriter(call, fields ?? EVENT_COLUMNS);
    const check = createStyle(call, writer, { action, email, cID: cid });
    const untilMs = performance.now() + seconds * 1_000;
    let from = since ?? new Date().toISOString();
    // Without --for a person ends it: that is what following means, so it is no failure, and the data is whole.
    const interruption = call.terminal.interruption();
    while (!interruption.aborted) {
      from = await check(from);
      if (performance.now() + interval * 1_000 > untilMs) break;
      await pause(interval * 1_000, interruption);
    }
    writer.end();
  },
};

/** Shows what is new from an instant on. @returns the instant to begin the next read at. */
function createStyle(call: Call, writer: RowWriter, filters: Readonly<Record<string, QueryValue>>) {
  const service = call.service();
  const view = new Set<unknown>();
  const { fields } = call.options;
  return async (from: string): Promise<string> => {
    let latestMs = Date.parse(from);
    const query = { ...filters, "time[gte]": from, sort_dir: "asc" };
    for await (const { rows } of service.pages("listContactactivities", { query })) {
      const news = rows.filter(({ id }) => !view.has(id));
      for (const { id } of news) view.add(id);
      if (news.length > 0) writer.write(fields === undefined ? news : news.map((row) => pick(row, fields)));
      await call.terminal.drained();
      latestMs = Math.max(latestMs, ...news.map(timeOf));
    }
    for (const id of view) {
      if (view.size <= DISPLAYED_MAX) break;
      view.delete(id);
    }
    return laterOf(from, latestMs - OVERLAP_MS);
  };
}

function timeOf({ time }: Row): number {
  return Date.parse(String(time)) || 0;
}

function laterOf(from: string, ms: number): string {
  return Number.isFinite(ms) && ms > Date.parse(from) ? new Date(ms).toISOString() : from;
}
