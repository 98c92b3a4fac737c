import { type ForkOptions, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/**
 * Calls that a process of its own makes. What else the test does in its loop does not count as their time, and the process leads a session:
 * Linux shares processors between sessions.
 */
export interface Caller<Result> {
  /** Milliseconds of every call since this was asked last. */
  takeTimes(): Promise<readonly number[]>;
  /** Ends the calls, and the process. */
  end(): Promise<Result>;
}

/** Work of the process. */
export interface Calls<Result> {
  /** Milliseconds of every call that has not been reported; it is emptied by who asks. */
  readonly times: number[];
  /** Resolves when the last call is answered. */
  end(): Promise<Result>;
}

type Question = "takeTimes" | "end";

/** Starts a process. @param script a module that calls `serveCalls`; it reads the data by `callerData`. */
export function startCaller<Result>(script: URL, data: object): Caller<Result> {
  const options: ForkOptions = { execArgv: [], detached: true, serialization: "advanced" };
  const child = fork(fileURLToPath(script), [JSON.stringify(data)], options);
  const ask = async (question: Question) => {
    child.send(question);
    const [answer] = await once(child, "message");
    return answer;
  };
  return {
    takeTimes: () => ask("takeTimes"),
    async end() {
      const result = await ask("end");
      child.kill();
      return result;
    },
  };
}

/** Returns what the process was started with. */
export function callerData<Data>(): Data {
  const [, , data = ""] = process.argv;
  return JSON.parse(data);
}

/** Answers the process that started this one, one question after another, and ends with it. */
export function serveCalls<Result>(calls: Calls<Result>): void {
  process.on("message", async (question: Question) => {
    process.send?.(question === "end" ? await calls.end() : calls.times.splice(0));
  });
  process.on("disconnect", () => process.exit());
}
