/**
 * Levenshtein's distance of two texts, as far as it is at most `max`; `max + 1` for all that is farther. Only the band of
 * cells that can matter is looked at (Ukkonen, 1985), and nothing more once a whole row is too far.
 */
export function editDistance(left: string, right: string, max: number): number {
  if (Math.abs(left.length - right.length) > max) return max + 1;
  let row = firstRow(right.length, max);
  let next = new Uint16Array(right.length + 1);
  for (let at = 1; at <= left.length; at++) {
    if (fillRow(next, row, { left, right, at, max }) > max) return max + 1;
    [row, next] = [next, row];
  }
  return Math.min(row[right.length] ?? max + 1, max + 1);
}

function firstRow(length: number, max: number): Uint16Array<ArrayBuffer> {
  const row = new Uint16Array(length + 1);
  for (let column = 0; column <= length; column++) row[column] = Math.min(column, max + 1);
  return row;
}

interface Row {
  readonly left: string;
  readonly right: string;
  /** Characters of `left` that the row is about. */
  readonly at: number;
  readonly max: number;
}

/** @returns the least of the row. */
function fillRow(row: Uint16Array, above: Uint16Array, { left, right, at, max }: Row): number {
  const far = max + 1;
  const from = Math.max(1, at - max);
  const to = Math.min(right.length, at + max);
  row[from - 1] = from === 1 ? Math.min(at, far) : far;
  let least = row[from - 1] ?? far;
  const letter = left.charCodeAt(at - 1);
  for (let column = from; column <= to; column++) {
    const changed = (above[column - 1] ?? far) + (letter === right.charCodeAt(column - 1) ? 0 : 1);
    // Above the band's last column nothing was written in this pass.
    const removed = column === at + max ? far : (above[column] ?? far) + 1;
    const added = (row[column - 1] ?? far) + 1;
    const cell = Math.min(changed, removed, added, far);
    row[column] = cell;
    if (cell < least) least = cell;
  }
  return least;
}
