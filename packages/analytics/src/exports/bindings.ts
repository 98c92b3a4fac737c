/** Collects the values of one statement as bound parameters. */
export interface Bindings {
  readonly params: Readonly<Record<string, unknown>>;
  /** @returns the placeholder of a value. */
  bind(
    type: "String" | "UInt64" | "Array(String)" | "Array(UInt64)" | "Array(UInt32)" | "DateTime64(3, 'UTC')",
    value: unknown,
  ): string;
  /** Placeholder of an instant, milliseconds since 1970. */
  moment(ms: number): string;
}

const EARLIEST_MS = Date.UTC(1900, 0, 1);
const LATEST_MS = Date.UTC(2299, 11, 31);

/** @param prefix of the names; statements that are put together from several have one each. */
export function createBindings(prefix = "b"): Bindings {
  const params: Record<string, unknown> = {};
  let count = 0;
  const bind: Bindings["bind"] = (type, value) => {
    const name = `${prefix}${count}`;
    count += 1;
    params[name] = value;
    return `{${name}:${type}}`;
  };
  const instant = (ms: number) => {
    const held = Math.min(LATEST_MS, Math.max(EARLIEST_MS, ms));
    return bind("DateTime64(3, 'UTC')", new Date(held).toISOString().replace("T", " ").slice(0, -1));
  };
  return { params, bind, moment: instant };
}
