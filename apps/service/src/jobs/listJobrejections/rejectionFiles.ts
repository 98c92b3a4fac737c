import type { JobRejection } from "@headwater/stores/jobs";
import { REJECTION_MEMBERS } from "./schema.ts";

/** A rejection as answers show it. */
export function viewRejection({ index, line, code, message, path, record }: JobRejection) {
  return { index, ...(typeof line === "number" && { line }), code, message, ...(path !== null && { path }), record };
}

/** Writers of a file of all rejections, by its media type. */
export const rejectionFiles = {
  "application/x-ndjson": {
    head: "",
    line: (rejection: JobRejection) => `${JSON.stringify(viewRejection(rejection))}\n`,
  },
  "text/csv": {
    head: `${REJECTION_MEMBERS.join(",")}\r\n`,
    line: ({ index, line = null, code, message, path, record }: JobRejection) =>
      `${[String(index), String(line ?? ""), code, message, path ?? "", JSON.stringify(record)].map(quoted).join(",")}\r\n`,
  },
} as const;

export type RejectionFile = keyof typeof rejectionFiles;

/** The first of them that an `Accept` header names; undefined: the list as JSON. */
export function fileAccepted(accept: string | undefined): RejectionFile | undefined {
  const named = (accept ?? "").split(",").map((part) => part.split(";")[0]?.trim().toLowerCase());
  for (const name of named) if (name === "application/x-ndjson" || name === "text/csv") return name;
  return undefined;
}

/** RFC 4180. A cell that a spreadsheet would take for a formula begins with an apostrophe. */
function quoted(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
