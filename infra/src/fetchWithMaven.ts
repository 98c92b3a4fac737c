import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { Failure } from "../bootstrap/failure.mjs";
import type { OnProgress } from "./definition.ts";
import { run } from "./run.ts";

const PROGRESS_EVERY_MS = 2_000;

export interface MavenFetch {
  /** Name and size for the progress lines: "Kafka 4.3.1 (44 MB)". */
  readonly title: string;
  readonly pom: string;
  /** The folder that will hold the files; it appears only when they are all there. */
  readonly folder: string;
  /** A file in it that shows that it is not empty. */
  readonly proof: string;
}

/**
 * Brings the artifacts pinned in a pom into a folder, by Maven alone, so that its settings, mirrors and checksums hold.
 * What was downloaded before a break stays in Maven's own repository and is not fetched again.
 */
export async function fetchWithMaven(
  { title, pom, folder, proof }: MavenFetch,
  onProgress: OnProgress,
  signal?: AbortSignal,
): Promise<void> {
  if (existsSync(join(folder, proof))) return;
  onProgress(`fetching ${title} through Maven`);
  const unfinished = `${folder}.unfinished-${process.pid}`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(dirname(folder), { recursive: true });
  const args = ["--file", pom, "--no-snapshot-updates", "process-resources", `-DoutputDirectory=${unfinished}`];
  const { code, output } = await runMaven(args, progressOf(title, onProgress), signal);
  if (code !== 0) {
    await rm(unfinished, { recursive: true, force: true });
    throw new Failure(
      `${title} could not be fetched: ${reasonOf(output)} Run the same command again to go on where it broke off.`,
    );
  }
  if (!existsSync(join(unfinished, proof))) throw new Error(`Maven fetched ${title} and there is no ${proof}`);
  await moveIntoPlace(unfinished, folder, proof);
  onProgress(`fetched ${title}`);
}

async function runMaven(args: readonly string[], onOutput: (text: string) => void, signal: AbortSignal | undefined) {
  try {
    return await run("mvn", args, { onOutput, ...(signal === undefined ? {} : { signal }) });
  } catch (error) {
    if (signal?.aborted === true) throw new Failure("stopped before everything was fetched.");
    throw new Failure(`Maven (mvn) cannot be run: ${String(error)}`);
  }
}

/** Another process may have fetched the same meanwhile; then ours is dropped. */
async function moveIntoPlace(unfinished: string, folder: string, proof: string): Promise<void> {
  if (existsSync(join(folder, proof))) {
    await rm(unfinished, { recursive: true, force: true });
    return;
  }
  await rm(folder, { recursive: true, force: true });
  await rename(unfinished, folder);
}

/** Maven prints its progress as "Progress (1): 31/109 MB"; every other second one of these becomes a line. */
function progressOf(title: string, onProgress: OnProgress): (text: string) => void {
  let saidAtMs = Date.now();
  return (text) => {
    const last = [...text.matchAll(/Progress \(\d+\): ([^\r\n]+)/g)].at(-1)?.[1];
    if (last === undefined || Date.now() - saidAtMs < PROGRESS_EVERY_MS) return;
    saidAtMs = Date.now();
    onProgress(`fetching ${title}: ${last.trim()}`);
  };
}

/** The sentence of Maven's first error line, without its markers. */
function reasonOf(output: string): string {
  const line = output.split(/[\r\n]+/).find((candidate) => candidate.includes("[ERROR]")) ?? "Maven gave no reason.";
  const text = stripVTControlCharacters(line)
    .replace(/^.*?\[ERROR\]\s*/, "")
    .replace(/ -> \[Help.*$/, "")
    .trim();
  return text.endsWith(".") ? text : `${text}.`;
}
