/** Placeholders that the path of a destination may hold, without their braces. */
export const pathPlaceholders = ["yyyy", "mm", "dd", "hh", "jobId", "name"] as const;
const PLACEHOLDER = /\{([^{}]*)\}/g;

export interface PathFacts {
  readonly jobId: string;
  /** Given in the request, or the job's. */
  readonly name: string;
  /** Milliseconds since 1970 at which the job was created: a job that is resumed the next day goes on in its folder. */
  readonly createdAt: number;
}

/** Returns the placeholders of a path that there are not, as they were written. */
export function unknownPlaceholders(path: string): string[] {
  const names = [...path.matchAll(PLACEHOLDER)].map(([, name = ""]) => name);
  return names.filter((name) => !pathPlaceholders.some((known) => known === name));
}

/** Fills in the placeholders of a path. Dates are those of UTC. */
export function expandPath(path: string, { jobId, name, createdAt }: PathFacts): string {
  const [date = "", time = ""] = new Date(createdAt).toISOString().split("T");
  const [yyyy = "", mm = "", dd = ""] = date.split("-");
  const values: Readonly<Record<string, string>> = { yyyy, mm, dd, hh: time.slice(0, 2), jobId, name };
  return path.replaceAll(PLACEHOLDER, (written, placeholder: string) => values[placeholder] ?? written);
}

/** Returns the folders of a path before the first one that a placeholder names: they are there before the first export. */
export function fixedFolder(path: string): string {
  const steps = path.split("/");
  const first = steps.findIndex((step) => step.includes("{"));
  return first < 0 ? path : steps.slice(0, first).join("/");
}
