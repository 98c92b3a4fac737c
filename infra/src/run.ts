import { type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { Failure } from "../bootstrap/failure.mjs";

const OUTPUT_CHARS_MAX = 200_000;
const REASON_LINES = 6;

export interface RunOptions extends Pick<SpawnOptions, "cwd" | "env" | "uid" | "gid" | "signal"> {
  /** Its standard input, otherwise empty: a text, or the descriptor of an open file. */
  readonly input?: string | number;
  /** Called with each piece of output (both streams) as it comes. */
  readonly onOutput?: (text: string) => void;
}

export interface RunResult {
  readonly code: number | null;
  readonly stdout: string;
  /** Both streams as they came. */
  readonly output: string;
}

/** Runs a program to its end and returns its exit code and output (the last 200,000 characters of each). */
export async function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const { input = "", onOutput, ...spawnOptions } = options;
  const child = spawn(command, [...args], {
    ...spawnOptions,
    stdio: [typeof input === "number" ? input : "pipe", "pipe", "pipe"],
  });
  let stdout = "";
  let output = "";
  const collect = (text: string): void => {
    output = (output + text).slice(-OUTPUT_CHARS_MAX);
    onOutput?.(text);
  };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout = (stdout + text).slice(-OUTPUT_CHARS_MAX);
    collect(text);
  });
  child.stderr?.setEncoding("utf8").on("data", collect);
  // A program that reads no input may close it first; its exit code is what counts.
  child.stdin?.on("error", () => child.stdin?.destroy());
  child.stdin?.end(input);
  await once(child, "close");
  return { code: child.exitCode, stdout, output };
}

/** Runs like `run` and returns the standard output; a program that ends with another code than 0 is a Failure with its last lines. */
export async function runOrFail(
  what: string,
  command: string,
  args: readonly string[],
  options?: RunOptions,
): Promise<string> {
  const { code, stdout, output } = await run(command, args, options);
  if (code === 0) return stdout;
  throw new Failure(`${what} failed (code ${code}): ${output.trimEnd().split("\n").slice(-REASON_LINES).join(" | ")}`);
}
