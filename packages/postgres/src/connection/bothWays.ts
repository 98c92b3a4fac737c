export type Direction = "asc" | "desc";

/** Makes the statement of a page for each direction. @param make is given the comparison of what lies beyond the last row of a page. */
export function bothWays<Statement>(
  make: (direction: Direction, isBeyond: ">" | "<") => Statement,
): Readonly<Record<Direction, Statement>> {
  return { asc: make("asc", ">"), desc: make("desc", "<") };
}
