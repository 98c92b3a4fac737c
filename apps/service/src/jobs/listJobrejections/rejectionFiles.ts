import { REJECTION_MEMBERS, type Rejection } from "./rejection.ts";

/** Members that only redrives have: a file of another job has no columns for them. */
const OF_REDRIVES: readonly string[] = ["deadLetter", "redriveOf"];

/** Writes all rejections of a job as a file. */
export interface RejectionFile {
  readonly mediaType: "application/x-ndjson" | "text/csv";
  /** Text before the lines. */
  readonly head: (isRedrive: boolean) => string;
  readonly line: (rejection: Rejection, isRedrive: boolean) => string;
}

const files: readonly RejectionFile[] = [
  {
    mediaType: "application/x-ndjson",
    head: () => "",
    line: (rejection) => `${JSON.stringify(rejection)}\n`,
  },
  {
    mediaType: "text/csv",
    head: (isRedrive) => `${columnsOf(isRedrive).join(",")}\r\n`,
    line: (rejection, isRedrive) =>
      `${columnsOf(isRedrive)
        .map((name) => quoted(cellOf(rejection, name)))
        .join(",")}\r\n`,
  },
];

function columnsOf(isRedrive: boolean) {
  return REJECTION_MEMBERS.filter((name) => isRedrive || !OF_REDRIVES.includes(name));
}

function cellOf(rejection: Rejection, name: keyof Rejection): string {
  return name === "record" ? JSON.stringify(rejection.record ?? null) : String(rejection[name] ?? "");
}

/** Returns the first file that an `Accept` header names; undefined: the list as JSON. */
export function fileAccepted(accept: string | undefined): RejectionFile | undefined {
  const named = (accept ?? "").split(",").map((part) => part.split(";")[0]?.trim().toLowerCase());
  for (const name of named) {
    const file = files.find(({ mediaType }) => mediaType === name);
    if (file !== undefined) return file;
  }
  return undefined;
}

/** RFC 4180. A cell that a spreadsheet would take for a formula begins with an apostrophe. */
function quoted(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
