/** A member by its name, or by a path of names: `channels.email.address`. Undefined where there is none. */
export function memberAt(row: object, name: string): unknown {
  if (Object.hasOwn(row, name)) return Reflect.get(row, name);
  const dot = name.indexOf(".");
  const inner = dot < 0 || !Object.hasOwn(row, name.slice(0, dot)) ? undefined : Reflect.get(row, name.slice(0, dot));
  return typeof inner === "object" && inner !== null ? memberAt(inner, name.slice(dot + 1)) : undefined;
}
