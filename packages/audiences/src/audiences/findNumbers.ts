import type { CriteriaNode, NumbersPage } from "@headwater/criteria";
import { type CriteriaPorts, type CriteriaRun, runCriteria } from "./runCriteria.ts";

/** Numbers that are checked first, for each that is wanted; then so many times as many; then all. */
const FIRST_REACH = 500;
const REACH_MIN = 20_000;
const FARTHER = 20;

/** Numbers of the contacts of one page, in order. */
export interface NumbersWanted extends NumbersPage {
  /** The first number that may be on the page. */
  readonly beginning: number;
  /** Set when the total is asked for as well: then all are checked. */
  readonly isCounted: boolean;
}

export interface NumbersFound {
  readonly numbers: readonly number[];
  readonly count: number;
}

interface Row {
  readonly count: number | string;
  readonly page: readonly (number | string)[];
}

/**
 * A page is often filled by the contacts next to its beginning: they are checked first, and more when they do not fill it.
 * That takes a few milliseconds, where reading a field of a million contacts takes a hundred.
 */
export async function findNumbers(
  criteria: CriteriaNode,
  {
    wanted: { isCounted, beginning, ...wanted },
    run,
  }: { readonly wanted: NumbersWanted; readonly run: Omit<CriteriaRun, "options"> },
  ports: CriteriaPorts,
): Promise<NumbersFound> {
  const full = wanted.skip + wanted.rowsMax;
  const ask = async (until: number | undefined) => {
    const timezone = run.account.settings.timezone;
    const options = { basis: "recorded" as const, timezone, page: { ...wanted, until } };
    const { row } = await runCriteria<Row>(criteria, { ...run, options }, ports);
    return { numbers: row.page.map(Number), count: Number(row.count) };
  };
  if (isCounted) return ask(undefined);
  const { direction } = wanted;
  const reach = Math.max(REACH_MIN, FIRST_REACH * full);
  for (const numbers of [reach, FARTHER * reach]) {
    const until = direction === "asc" ? beginning + numbers : Math.max(0, beginning - numbers);
    const found = await ask(until);
    if (found.numbers.length === wanted.rowsMax) return found;
  }
  return ask(undefined);
}
