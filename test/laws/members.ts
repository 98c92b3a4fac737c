/** Ways to fill members whose names a sender chooses, each as far as the bytes go: the bounds, one by one and together. */
export const memberKinds = [
  "many",
  "long names",
  "dotted names",
  "wide array",
  "edit of an array",
  "equal elements",
  "objects in an array",
  "deep",
  "long text",
  "combining marks",
  "long numbers",
  "names of the language",
] as const;
export type MemberKind = (typeof memberKinds)[number];

export type Members = Record<string, unknown>;

const NAME_BYTES_MAX = 1_024;

interface Filling {
  readonly bytes: number;
  /** Members at most, where they are bounded. */
  readonly membersMax: number;
  readonly levelsMax: number;
}

export function membersOf(kind: MemberKind, { bytes, membersMax, levelsMax }: Filling): Members {
  const count = (each: number) => Math.max(1, Math.min(membersMax, Math.floor(bytes / each)));
  const text = (length: number, deadLetter: string) => deadLetter.repeat(Math.max(0, Math.floor(length)));
  switch (kind) {
    case "many":
      return named(count(10), (index) => [index.toString(36), 1]);
    case "long names":
      return named(count(1_040), (index) => [`${index}`.padEnd(NAME_BYTES_MAX, "n"), 1]);
    case "dotted names":
      return named(count(20), (index) => [`a.${index % 7}.c.${index}.e`, 1]);
    case "wide array":
      return { a: Array.from({ length: Math.floor(bytes / 8) }, (_, index) => 100_000 + index) };
    case "edit of an array": {
      const half = Array.from({ length: Math.floor(bytes / 18) }, (_, index) => 100_000 + index);
      return { a: { add: half, remove: half.map((element) => element + half.length / 2) } };
    }
    case "equal elements":
      return { a: Array.from({ length: Math.floor(bytes / 2) - 8 }, () => 1) };
    case "objects in an array":
      return { a: Array.from({ length: Math.floor(bytes / 10) }, (_, index) => ({ a: index % 9 })) };
    case "deep":
      return named(count(7 * levelsMax), (index) => [`d${index}`, nested(levelsMax - 1)]);
    case "long text":
      return { t: text(bytes - 16, "x") };
    case "combining marks":
      return { t: text((bytes - 16) / 2, "\u0301") };
    case "long numbers":
      return named(count(330), (index) => [`n${index}`, index % 2 === 0 ? 1.797e308 : text(310, "9")]);
    case "names of the language":
      return named(count(40), (index) => [`a.__proto__.constructor.${index}`, "toString"]);
  }
}

function named(count: number, member: (index: number) => readonly [string, unknown]): Members {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => member(index)));
}

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = { a: value };
  return value;
}
