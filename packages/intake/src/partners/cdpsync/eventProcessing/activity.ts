import { readPoint } from "../../eventContext.ts";
import { type Part, refusedPart } from "../../push.ts";
import { isMembers, present, textOf, timeOf } from "../../reading.ts";
import { contactOf, type LocatedEvent } from "./subject.ts";

/** A custom event, or a screen that was seen, as an activity. Its id is its UID. */
export function activityPart({ event, path, timeMs, once, subject }: LocatedEvent): Part {
  const name = event.type === "screen_view" ? (textOf(event.screen_name) ?? textOf(event.name)) : textOf(event.name);
  if (name === undefined) return refusedPart(path, event, "The event name is required.");
  const time = timeOf(timeMs);
  if (time === undefined) return refusedPart(`${path}/timestamp_ms`, event, "The event time is invalid.");
  const location = isMembers(event.location) ? event.location : {};
  const geoLoc = readPoint(location.latitude, location.longitude);
  const activity = present({
    name,
    time,
    UID: textOf(event.id),
    properties: isMembers(event.attributes) ? event.attributes : undefined,
    geo: geoLoc && { geoLoc },
  });
  const body = { contact: contactOf(subject), contactactivities: [activity] };
  const isScreen = event.type === "screen_view" && textOf(event.screen_name) !== undefined;
  const sentAs = {
    "/name": isScreen ? "/screen_name" : "/name",
    "/time": "/timestamp_ms",
    "/UID": "/id",
    "/properties": "/attributes",
    "/geo/geoLoc": "/location",
  };
  return {
    kind: "item",
    path,
    inner: "/contactactivities/0",
    sentAs,
    operation: "createContactactivities",
    body,
    once,
  };
}
