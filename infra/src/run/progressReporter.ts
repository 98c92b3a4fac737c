import { appendFileSync } from "node:fs";
import type { ProgressLine } from "./progress.ts";

/** The part of Vitest's `TestCase` that is read here. */
interface TestCase {
  readonly id: string;
  readonly fullName: string;
  readonly module: { readonly moduleId: string };
  result(): { readonly state: string; readonly errors?: readonly ErrorOfTest[] | undefined };
}

interface ErrorOfTest {
  readonly message: string;
  readonly stack?: string | undefined;
}

/**
 * Writes down each test as it begins and ends, so that a run which breaks off (killed, out of memory, an error outside of every test)
 * can still be shown test by test. Vitest's own report is written at the end, or not at all.
 */
export default class ProgressReporter {
  readonly #file: string;

  constructor() {
    this.#file = process.env.HEADWATER_TEST_PROGRESS ?? "";
  }

  onTestCaseReady(test: TestCase): void {
    this.#write({ kind: "begins", ...nameOf(test) });
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors = [] } = test.result();
    const reason = errors.map(({ stack, message }) => stack ?? message).join("\n");
    this.#write({ kind: "ends", ...nameOf(test), isFailed: state === "failed", reason });
  }

  onTestRunEnd(_modules: unknown, errors: readonly ErrorOfTest[]): void {
    for (const { stack, message } of errors) this.#write({ kind: "error", reason: stack ?? message });
  }

  #write(line: ProgressLine): void {
    if (this.#file !== "") appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
  }
}

function nameOf({ module, fullName, id }: TestCase) {
  return { id, file: module.moduleId, name: fullName };
}
