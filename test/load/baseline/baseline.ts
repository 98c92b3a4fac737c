import { readFile } from "node:fs/promises";
import { z } from "zod";
import { Failure } from "../../../infra/src/index.ts";
import { pathNames } from "../paths/names.ts";
import { SCALES } from "../world/options.ts";

const BASELINE_BYTES_MAX = 1024 * 1024;

const figureSchema = z.strictObject({
  path: z.enum(pathNames),
  /** Title of the row, as the report shows it. */
  what: z.string().min(1),
  /** A figure of ours as `--against` names it, or `ratio: ` and the name of a limit. */
  figure: z.string().min(1),
  value: z.number().positive(),
  better: z.enum(["higher", "lower"]),
});

/** The figures of one machine and day; a commit that the report did not name is null. */
const runSchema = z.strictObject({
  date: z.iso.date(),
  commit: z.string().min(7).nullable(),
  machine: z.string().min(1),
  command: z.string().startsWith("npm run bench -- "),
  scale: z.enum(SCALES),
  figures: z.array(figureSchema).min(1),
});

export const baselineSchema = z.strictObject({ runs: z.array(runSchema).min(1) });

export type Baseline = z.output<typeof baselineSchema>;
export type BaselineFigure = z.output<typeof figureSchema>;

/** @throws Failure when the file cannot be read or is not a baseline. */
export async function readBaseline(file: string): Promise<Baseline> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) throw new Failure(`--compare is ${file}, which cannot be read.`);
  if (text.length > BASELINE_BYTES_MAX) throw new Failure(`--compare is ${file}, which is too large for a baseline.`);
  const parsed = baselineSchema.safeParse(toJson(text));
  if (parsed.success) return parsed.data;
  throw new Failure(`--compare is ${file}, which is not a baseline: ${z.prettifyError(parsed.error)}`);
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
