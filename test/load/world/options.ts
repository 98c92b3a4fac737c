import { parseArgs } from "node:util";
import { Failure } from "../../../infra/src/index.ts";
import { type PathName, pathNames } from "../paths/names.ts";

export interface Options {
  readonly paths: readonly PathName[];
  readonly seconds: number;
  readonly rounds: number;
  /** Seconds that code runs before it is measured. */
  readonly warmSeconds: number;
  /** File for the report as JSON. */
  readonly json: string | undefined;
  readonly isProfiling: boolean;
  readonly scale: Scale;
  /** Events a second of `visible` and `memory`, so that two commits are compared under the same load. */
  readonly rate: number | undefined;
  /** Commit whose processes are compared with those of this tree. */
  readonly against: string | undefined;
  /** File of a baseline that the report is compared with. */
  readonly compare: string | undefined;
}

/** Size of what `audience` counts. */
export type Scale = (typeof SCALES)[number];
export const SCALES = ["small", "large"] as const;

const SECONDS_DEFAULT = "4";
const ROUNDS_DEFAULT = "3";
/** A projector that worked for 3 s was half as fast as one that had worked for 20. */
const WARM_DEFAULT = "15";

export const help = `npm run bench -- [options]

  --path NAMES   paths to measure, with commas between them; all when left out:
                 ${pathNames.join(", ")}
  --seconds N    that one measurement takes (${SECONDS_DEFAULT}), and one of 30 points of memory
  --rounds N     of each, ours and its limit in turn (${ROUNDS_DEFAULT})
  --warm N       seconds that ours and its limits work before they are measured (${WARM_DEFAULT})
  --json FILE    writes the report as JSON, too
  --scale NAME   small or large: of audience, simulation and message-stats ten times as many activities, of sends 200,000 mails, of exports and
                 trends 10,000,000 contacts instead of 200,000, of imports 1,000,000 rows instead of 60,000, of due-runs and webhooks
                 ten and five times as many; small
  --rate N       events a second of visible and memory; half of what was found the machine can do when left out
  --against C    compares with the commit C, or with a folder that holds a checkout: both take turns, without limits
  --compare FILE compares with a baseline such as docs/performance/baseline.json, and exits 1 where a figure is behind it
  --profile      shows where the processor's time went; figures are lower under it
`;

const options = {
  path: { type: "string", default: pathNames.join(",") },
  seconds: { type: "string", default: SECONDS_DEFAULT },
  rounds: { type: "string", default: ROUNDS_DEFAULT },
  warm: { type: "string", default: WARM_DEFAULT },
  json: { type: "string" },
  profile: { type: "boolean", default: false },
  scale: { type: "string", default: "small" },
  rate: { type: "string" },
  against: { type: "string" },
  compare: { type: "string" },
} as const;

/** @throws Failure with a sentence for the one who typed it. */
export function readOptions(args: string[]): Options {
  const values = parse(args);
  if (values.against !== undefined && values.compare !== undefined) {
    throw new Failure("--against runs without limits, so --compare has nothing to compare; name one of them.");
  }
  return {
    paths: values.path.split(",").map(toPathName),
    seconds: positive(values.seconds, "seconds"),
    rounds: positive(values.rounds, "rounds"),
    warmSeconds: positive(values.warm, "warm"),
    json: values.json,
    isProfiling: values.profile,
    scale: toScale(values.scale),
    rate: values.rate === undefined ? undefined : positive(values.rate, "rate"),
    against: values.against,
    compare: values.compare,
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new Failure(`${error instanceof Error ? error.message : String(error)} (--help lists the options)`);
  }
}

function toPathName(name: string): PathName {
  const found = pathNames.find((known) => known === name);
  if (found === undefined) throw new Failure(`there is no path ${name}; there are ${pathNames.join(", ")}.`);
  return found;
}

function toScale(name: string): Scale {
  const found = SCALES.find((known) => known === name);
  if (found !== undefined) return found;
  throw new Failure(`there is no scale ${name}; there are ${SCALES.join(" and ")}.`);
}

function positive(text: string, name: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new Failure(`--${name} is ${text} and must be a number above 0.`);
}
