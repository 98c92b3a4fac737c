import { once } from "node:events";
import { parentPort, Worker } from "node:worker_threads";

/** Calls that a thread of its own makes: what else the test does in its loop does not count as their time. */
export interface Caller<Result> {
  /** Milliseconds of every call since this was asked last. */
  takeTimes(): Promise<readonly number[]>;
  /** Ends the calls, and the thread. */
  end(): Promise<Result>;
}

/** Work of the thread. */
export interface Calls<Result> {
  /** Milliseconds of every call that has not been reported; it is emptied by who asks. */
  readonly times: number[];
  /** Resolves when the last call is answered. */
  end(): Promise<Result>;
}

type Question = "takeTimes" | "end";

/** Starts a thread. @param script a module that calls `serveCalls`; it finds the data as `workerData`. */
export function startCaller<Result>(script: URL, data: object): Caller<Result> {
  const thread = new Worker(script, { workerData: data });
  const ask = async (question: Question) => {
    thread.postMessage(question);
    const [answer] = await once(thread, "message");
    return answer;
  };
  return {
    takeTimes: () => ask("takeTimes"),
    async end() {
      const result = await ask("end");
      await thread.terminate();
      return result;
    },
  };
}

/** Answers the thread that started this one, one question after another. */
export function serveCalls<Result>(calls: Calls<Result>): void {
  parentPort?.on("message", async (question: Question) => {
    parentPort?.postMessage(question === "end" ? await calls.end() : calls.times.splice(0));
  });
}
