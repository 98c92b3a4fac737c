import { wireRequest } from "../http/connection.ts";
import type { Calls, CallTemplate } from "../tasks/httpLoadTask.ts";

/** Stands in paths and bodies for the nine digits of a number. */
export const NUMBER_PLACE = "#########";
/** A prime that divides no count of ours: steps of it come by every number before one comes again. */
const STEP = 7_368_787;

/** The request in this place of the run. */
export type MakeRequest = (place: number) => Buffer;

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
  const places = placesIn(request);
  return (number: number) => {
    if (places.length === 0) return request;
    const stamped = Buffer.from(request);
    const digits = String(number).padStart(NUMBER_PLACE.length, "0");
    for (const place of places) stamped.write(digits, place, "latin1");
    return stamped;
  };
}

function placesIn(request: Buffer): number[] {
  const places: number[] = [];
  for (let at = request.indexOf(NUMBER_PLACE); at >= 0; at = request.indexOf(NUMBER_PLACE, at + NUMBER_PLACE.length)) {
    places.push(at);
  }
  return places;
}
