type Members = Readonly<Record<string, unknown>>;

/** Returns the members that a body gives: `null` gives one its usual value. */
export function orUsual(given: Members, usual: Members): Record<string, unknown> {
  const said = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(said.map(([name, value]) => [name, value === null ? usual[name] : value]));
}
