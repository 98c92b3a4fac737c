import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const { env } = process;
const run = promisify(execFile);
const DATA = join(import.meta.dirname, "data");
const FETCH_MS_MAX = 120_000;

interface DataSet {
  /** Part of it in this repository. */
  readonly part: string;
  /** Commands that put the package, as a `.tgz` or `.tar.gz`, into the folder in which they run. */
  readonly fetch: readonly [program: string, ...args: string[]];
  /** Its file in the package. */
  readonly member: string;
}

const dataSets = {
  olympians: {
    part: "olympians.csv",
    fetch: ["npm", "pack", "@observablehq/sample-datasets@1.0.1"],
    member: "package/olympians.csv",
  },
  purchases: {
    part: "cdnow.txt",
    fetch: ["python3", "-m", "pip", "download", "--no-deps", "--no-binary", ":all:", "Lifetimes==0.11.3"],
    member: "Lifetimes-0.11.3/lifetimes/datasets/CDNOW_master.txt",
  },
  flights: {
    part: "flights.json",
    fetch: ["npm", "pack", "vega-datasets@3.2.1"],
    member: "package/data/flights-2k.json",
  },
} as const satisfies Readonly<Record<string, DataSet>>;

/** Reads the part of a data set that is kept here; with `REAL_DATA=long` all of it, from its package. */
export async function readDataSet(name: keyof typeof dataSets): Promise<string> {
  const { part, fetch, member } = dataSets[name];
  return env.REAL_DATA === "long" ? fetchMember(fetch, member) : readFileSync(join(DATA, part), "utf8");
}

async function fetchMember([program, ...args]: DataSet["fetch"], member: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "headwater-data-"));
  try {
    const options = { cwd: folder, timeout: FETCH_MS_MAX };
    await run(program, args, options);
    await run("sh", ["-c", 'tar -xzf *.t*gz "$1"', "sh", member], options);
    return readFileSync(join(folder, member), "utf8");
  } finally {
    rmSync(folder, { recursive: true });
  }
}
