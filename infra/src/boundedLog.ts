import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { OWNERS_FILE, OWNERS_FOLDER } from "./closedHome.ts";

const BYTES_MAX = 8 * 1024 * 1024;
const OLD_FILES_STORED = 2;
/** Kept in memory while the file cannot be written; what is older is dropped and counted. */
const WAITING_BYTES_MAX = 256 * 1024;
const RETRY_MS = 1_000;

/** Writes some of the bytes at the end of the file and returns how many; throws where there is no space. */
export type AppendBytes = (file: string, bytes: Buffer) => number;

/**
 * A log file that never grows past `bytesMax`: when full it becomes `<file>.1` (and that one `<file>.2`), the oldest is dropped.
 * Writes are synchronous, so that the last words of a process are on disk before its end is reported. A disk that is full, or
 * any other error of the file, never reaches the writer: the last 256 KiB wait and are tried again, with a line that says how
 * much was dropped before them.
 */
export class BoundedLog {
  readonly file: string;
  readonly #bytesMax: number;
  readonly #appendBytes: AppendBytes;
  #waiting: Buffer = Buffer.alloc(0);
  #dropped = 0;
  #errors = 0;
  #retry: NodeJS.Timeout | undefined;

  constructor(file: string, bytesMax: number = BYTES_MAX, appendBytes: AppendBytes = appendToFile) {
    this.file = file;
    this.#bytesMax = bytesMax;
    this.#appendBytes = appendBytes;
  }

  /** Counts failed writes of the file. */
  errors(): number {
    return this.#errors;
  }

  append(chunk: string | Buffer): void {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    this.#waiting = this.#waiting.length === 0 ? bytes : Buffer.concat([this.#waiting, bytes]);
    this.#flush();
  }

  /** The last lines of the current file, for the report of a failure. */
  tail(lines: number): string {
    const written = existsSync(this.file) ? readFileSync(this.file, "utf8") : "";
    return `${written}${this.#waiting.toString()}`.trimEnd().split("\n").slice(-lines).join("\n");
  }

  #flush(): void {
    try {
      this.#write();
    } catch {
      // Where the log cannot be written there is nowhere to say so: it is counted, kept and tried again.
      this.#errors += 1;
      this.#dropOldest();
      this.#retryLater();
    }
  }

  #write(): void {
    mkdirSync(dirname(this.file), { recursive: true, mode: OWNERS_FOLDER });
    const size = existsSync(this.file) ? statSync(this.file).size : 0;
    if (size > 0 && size + this.#waiting.length > this.#bytesMax) this.#rotate();
    if (this.#dropped > 0) this.#appendBytes(this.file, Buffer.from(`-- ${this.#dropped} bytes were dropped here\n`));
    this.#dropped = 0;
    while (this.#waiting.length > 0)
      this.#waiting = this.#waiting.subarray(this.#appendBytes(this.file, this.#waiting));
  }

  #dropOldest(): void {
    const excess = this.#waiting.length - WAITING_BYTES_MAX;
    if (excess <= 0) return;
    this.#waiting = Buffer.from(this.#waiting.subarray(excess));
    this.#dropped += excess;
  }

  #retryLater(): void {
    if (this.#retry !== undefined) return;
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      this.#flush();
    }, RETRY_MS).unref();
  }

  #rotate(): void {
    for (let old = OLD_FILES_STORED - 1; old >= 1; old--) {
      if (existsSync(`${this.file}.${old}`)) renameSync(`${this.file}.${old}`, `${this.file}.${old + 1}`);
    }
    renameSync(this.file, `${this.file}.1`);
  }
}

function appendToFile(file: string, bytes: Buffer): number {
  const descriptor = openSync(file, "a", OWNERS_FILE);
  try {
    return writeSync(descriptor, bytes);
  } finally {
    closeSync(descriptor);
  }
}
