import { wireRequest } from "../http/connection.ts";
import type { Calls, CallTemplate } from "../tasks/httpLoadTask.ts";

/** Stands in paths and bodies for the nine digits of a number. */
export const NUMBER_POSITION = "#########";
/** A prime that divides no count of ours: steps of it come by every number before one comes again. */
const STEP = 7_368_787;

/** The request in this place of the run. */
export type MakeRequest = (position: number) => Buffer;

/** The calls in turn, as they go over the wire. */
export function numberedCalls(
  { templates, numbers: { from, count } }: Pick<Calls, "templates" | "numbers">,
  headers: Readonly<Record<string, string>>,
): MakeRequest {
  const stamps = templates.map((template) => toStamp(template, headers));
  return (place) => {
    const stamp = stamps[place % stamps.length];
    if (stamp === undefined) throw new Error("there is at least one call");
    return stamp(from + ((place * STEP) % count));
  };
}

function toStamp({ method, path, body }: CallTemplate, headers: Readonly<Record<string, string>>) {
  const request = wireRequest({ method, path, headers, body: body === undefined ? undefined : Buffer.from(body) });
  const positions = positionsIn(request);
  return (number: number) => {
    if (positions.length === 0) return request;
    const stamped = Buffer.from(request);
    const digits = String(number).padStart(NUMBER_POSITION.length, "0");
    for (const place of positions) stamped.write(digits, place, "latin1");
    return stamped;
  };
}

function positionsIn(request: Buffer): number[] {
  const places: number[] = [];
  for (
    let at = request.indexOf(NUMBER_POSITION);
    at >= 0;
    at = request.indexOf(NUMBER_POSITION, at + NUMBER_POSITION.length)
  ) {
    places.push(at);
  }
  return places;
}
