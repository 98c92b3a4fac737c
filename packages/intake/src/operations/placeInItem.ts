import { loggedOperations } from "./registry.ts";

/** A place in the body of a record alone. */
interface PlaceOfRecord {
  /** `request id : index : element`. */
  readonly recordId: string;
  readonly operation: string;
  readonly path: string;
}

const elementsOf = new Map(loggedOperations.map(({ name, elements }) => [name, elements]));

/** Returns the place in the item as it was sent: of an item that becomes many records, the record is one element. */
export function placeInItem({ recordId, operation, path }: PlaceOfRecord): string {
  const elements = elementsOf.get(operation);
  if (elements === undefined) return path;
  const alone = `${elements}/0`;
  if (path !== alone && !path.startsWith(`${alone}/`)) return path;
  const [, , element = "0"] = recordId.split(":");
  return `${elements}/${element}${path.slice(alone.length)}`;
}
