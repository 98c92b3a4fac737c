/** A task on its way to a child process. */
export interface TaskFrame {
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
  /** Longest processor time between two answers of the host, and of the whole task where it asks the host nothing. */
  readonly deadlineMs: number;
}

/** Frames from the parent. `answer` belongs to a question that a task asked. */
export type ParentFrame =
  | { readonly kind: "tasks"; readonly tasks: readonly TaskFrame[] }
  | { readonly kind: "answer"; readonly question: number; readonly answer: Answer };

export type Answer =
  | { readonly kind: "value"; readonly value: unknown }
  /** `ByteChunks`: their bytes follow the frame. */
  | { readonly kind: "bytes"; readonly about: unknown }
  | { readonly kind: "error"; readonly message: string };

/** Asks the process that gave the task; the names and shapes are those of its `host`. Rejects with what the host threw. */
export type AskHost = (name: string, input: unknown) => Promise<unknown>;

export interface ResultFrame<Output> {
  readonly id: number;
  /** Processor time of the task; where it asked its host, time on the clock: it held the process meanwhile. */
  readonly heldMs: number;
  readonly result:
    | { readonly kind: "done"; readonly output: Output }
    /** An allocation was refused; the process goes on. */
    | { readonly kind: "memory" }
    | { readonly kind: "failed"; readonly message: string };
}

/** Frames from a child, with its resident size. `ready`: its modules are loaded. Outputs are of the types of their tasks. */
export type ChildFrame<Output = unknown> =
  | { readonly kind: "ready"; readonly residentBytes: number }
  | { readonly kind: "results"; readonly results: readonly ResultFrame<Output>[]; readonly residentBytes: number }
  | {
      readonly kind: "question";
      readonly question: number;
      readonly task: number;
      readonly name: string;
      readonly input: unknown;
      /** True for `ByteChunks`: `input` is what goes with them, and their bytes follow the frame. */
      readonly hasBytes: boolean;
    };

/** Time on the clock for each millisecond of processor time: a busy machine is no fault of a task. */
export const WALL_FACTOR = 10;

/** File descriptor of a child under which it speaks with its parent. */
export const CHANNEL = 3;

/** Signals by which a watchdog ends its process, and what each means. */
export const DEADLINE_SIGNAL = "SIGALRM";
export const MEMORY_SIGNAL = "SIGXCPU";
