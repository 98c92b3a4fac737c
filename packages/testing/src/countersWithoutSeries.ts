/** Returns the counters of a page of metrics that have no series: `rate` would not see their first increment. */
export function countersWithoutSeries(page: string): string[] {
  const counters = [...page.matchAll(/^# TYPE (\S+) counter$/gm)].map(([, name = ""]) => name);
  return counters.filter((name) => !new RegExp(`^${name}[ {]`, "m").test(page));
}
