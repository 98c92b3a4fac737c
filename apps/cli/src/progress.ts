/** State of a step that takes a while. */
export interface Progress {
  readonly label: string;
  readonly done: number;
  /** 0: not known yet. */
  readonly total: number;
  /** Counts in words; default `1 of 2`. */
  readonly counts?: string | undefined;
}

/** Shows progress on standard error. */
export interface ProgressView {
  show(step: Progress): void;
  /** Removes the bar, so that a line can be written; the next step draws it again. */
  clear(): void;
  /** Leaves the last state on a line of its own. */
  end(): void;
}

interface Screen {
  readonly isTTY?: boolean | undefined;
  /** 0 where the terminal does not tell. */
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

const COLUMNS_DEFAULT = 80;
const BAR_CHARACTERS = 24;
const ERASE_LINE = "\r\u001b[K";
/** Interval between the lines of a step that only goes on, where there is no bar. */
const LINE_EVERY_MS = 5_000;

/** Draws a bar over itself on a terminal that can; writes plain lines elsewhere. */
export function createProgressView(screen: Screen, env: { readonly TERM?: string | undefined }): ProgressView {
  return screen.isTTY === true && env.TERM !== "dumb" ? barView(screen) : lineView(screen);
}

function barView(screen: Screen): ProgressView {
  let drawn = "";
  const clear = () => {
    if (drawn !== "") screen.write(ERASE_LINE);
  };
  return {
    show(step) {
      clear();
      drawn = barOf(step, screen.columns || COLUMNS_DEFAULT);
      screen.write(drawn);
    },
    clear() {
      clear();
      drawn = "";
    },
    end() {
      if (drawn !== "") screen.write("\n");
      drawn = "";
    },
  };
}

function lineView(screen: Screen): ProgressView {
  let last: { readonly label: string; readonly line: string; readonly atMs: number } | undefined;
  return {
    show(step) {
      const line = lineOf(step);
      const atMs = performance.now();
      const isNew = step.label !== last?.label || atMs - last.atMs >= LINE_EVERY_MS || step.done === step.total;
      if (!isNew || line === last?.line) return;
      screen.write(`${line}\n`);
      last = { label: step.label, line, atMs };
    },
    clear: () => undefined,
    end: () => {
      last = undefined;
    },
  };
}

/** Returns a step as one line: `Processing: 1 of 2`. */
function lineOf({ label, done, total, counts }: Progress): string {
  return total === 0 ? label : `${label}: ${counts ?? `${done} of ${total}`}`;
}

/** Returns a step as a bar of at most `columns` - 1 characters, so that no terminal wraps it. */
export function barOf({ label, done, total, counts }: Progress, columns: number): string {
  if (total === 0) return label.slice(0, columns - 1);
  const part = Math.min(1, Math.max(0, done / total));
  const filled = Math.floor(part * BAR_CHARACTERS);
  const bar = `[${"#".repeat(filled)}${"-".repeat(BAR_CHARACTERS - filled)}]`;
  const percent = `${Math.floor(part * 100)} %`.padStart(5);
  return `${label} ${bar} ${percent}  ${counts ?? `${done} of ${total}`}`.slice(0, columns - 1);
}
