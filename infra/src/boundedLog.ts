import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";

const BYTES_MAX = 8 * 1024 * 1024;
const OLD_FILES_KEPT = 2;

/**
 * A log file that never grows past `bytesMax`: when full it becomes `<file>.1` (and that one `<file>.2`), the oldest is dropped.
 * Writes are synchronous, so that the last words of a process are on disk before its end is reported.
 */
export class BoundedLog {
  readonly file: string;
  readonly #bytesMax: number;
  #bytes: number;

  constructor(file: string, bytesMax: number = BYTES_MAX) {
    this.file = file;
    this.#bytesMax = bytesMax;
    mkdirSync(dirname(file), { recursive: true });
    this.#bytes = existsSync(file) ? statSync(file).size : 0;
  }

  append(chunk: string | Buffer): void {
    if (this.#bytes > 0 && this.#bytes + chunk.length > this.#bytesMax) this.#rotate();
    appendFileSync(this.file, chunk);
    this.#bytes += chunk.length;
  }

  /** The last lines of the current file, for the report of a failure. */
  tail(lines: number): string {
    if (!existsSync(this.file)) return "";
    return readFileSync(this.file, "utf8").trimEnd().split("\n").slice(-lines).join("\n");
  }

  #rotate(): void {
    for (let old = OLD_FILES_KEPT - 1; old >= 1; old--) {
      if (existsSync(`${this.file}.${old}`)) renameSync(`${this.file}.${old}`, `${this.file}.${old + 1}`);
    }
    renameSync(this.file, `${this.file}.1`);
    this.#bytes = 0;
  }
}
