type Defined<Members> = { readonly [Name in keyof Members]?: Exclude<Members[Name], undefined> };

/** Returns the members that are set. */
export function defined<Members extends object>(members: Members): Defined<Members>;
export function defined(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
