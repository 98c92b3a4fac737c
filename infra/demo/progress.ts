/** Shows a person how far it is. */
export interface Progress {
  /** `done` of the `total` records of this stage. */
  show(stage: string, done: number, total: number): void;
  /** The stage is over. */
  end(): void;
}

interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const BAR_CELLS = 30;
const PERCENT_STEP = 20;
const COLUMNS_DEFAULT = 120;

/** A bar that stays in its line on a terminal; elsewhere a plain line for every fifth of a stage. */
export function createProgress(output: Output): Progress {
  return output.isTTY === true ? createBar(output) : createLines(output);
}

function createBar(output: Output): Progress {
  return {
    show: (stage, done, total) => {
      const filled = Math.round((BAR_CELLS * done) / total);
      const bar = "█".repeat(filled) + "░".repeat(BAR_CELLS - filled);
      const line = `${stage.padEnd(8)} ${bar} ${String(percentOf(done, total)).padStart(3)}%  ${count(done)} of ${count(total)} records`;
      output.write(`\r\u001b[2K${line.slice(0, (output.columns || COLUMNS_DEFAULT) - 1)}`);
    },
    end: () => {
      output.write("\n");
    },
  };
}

function createLines(output: Output): Progress {
  let view = -1;
  return {
    show: (stage, done, total) => {
      const step = Math.floor(percentOf(done, total) / PERCENT_STEP);
      if (step === view) return;
      view = step;
      output.write(`${stage}: ${count(done)} of ${count(total)} records (${percentOf(done, total)}%)\n`);
    },
    end: () => {
      view = -1;
    },
  };
}

function percentOf(done: number, total: number): number {
  return total === 0 ? 100 : Math.floor((100 * done) / total);
}

export function count(value: number): string {
  return value.toLocaleString("en-GB");
}
