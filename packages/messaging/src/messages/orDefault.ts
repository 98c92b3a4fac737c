type Members = Readonly<Record<string, unknown>>;

/** Returns the members that a body gives: `null` gives one its default value. */
export function orDefault(input: Members, fallback: Members): Record<string, unknown> {
  const said = Object.entries(input).filter(([, value]) => value !== undefined);
  return Object.fromEntries(said.map(([name, value]) => [name, value === null ? fallback[name] : value]));
}
