import type { Row } from "@headwater/jobs/sources/row";
import { pointerStep } from "@headwater/kernel";

/** Members that an item wraps the members of a row in. */
const WRAPPED = /^\/(?:order|records\/0|contact\/identifiers|contact\/attributes(?=\/channels\/)|contact)(?=\/|$)/;

/**
 * Finds what of its row a pointer into an item means: the member that the row has, or the column that has the name of its last step.
 * @returns null for the whole row.
 */
export function pathInRow(path: string, row: Row, header: readonly string[] | null): string | null {
  const names = header ?? (row.kind === "object" ? Object.keys(row.members) : []);
  const member = path.replace(WRAPPED, "");
  const [, first, ...more] = member.split("/");
  if (first === undefined) return null;
  if (more.length > 0 && names.some((name) => pointerStep(name) === first)) return member;
  const last = more.at(-1) ?? first;
  const column = names.find((name) => pointerStep(name) === last || pointerStep(name).endsWith(`.${last}`));
  return column === undefined ? member : `/${pointerStep(column)}`;
}
