const ID_CHARACTERS = 256;
const STEPS_MAX = 16;

/** Returns the id that stands at a path (`id`, `messages.0.id`) of a JSON answer; undefined where there is none. */
export function idAt(text: string, path: string): string | undefined {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
  for (const step of path.split(/[.[\]]+/, STEPS_MAX).filter((name) => name !== "")) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, step)) return undefined;
    found = Reflect.get(found, step);
  }
  if (typeof found !== "string" && typeof found !== "number") return undefined;
  return String(found).slice(0, ID_CHARACTERS);
}
