import { type PropertyOwner, typed } from "../../parse/parseProperties.ts";

/** The members of an event that a rule can name: parts of it, and all of its properties. */
export const eventOwner: PropertyOwner = {
  called: "an event",
  fields: new Map([
    ...typed("string", ["geo.city", "geo.country"]),
    ...typed("number", ["geo.geoLoc.lat", "geo.geoLoc.lon"]),
    ...typed("geo", ["geo.geoLoc"]),
    ...typed(
      "string",
      ["type", "device", "platform", "browser", "ip"].map((member) => `device.${member}`),
    ),
    ...typed("boolean", ["device.robot"]),
  ]),
  nameOf: (_, segments) => {
    if (isEventPart(segments)) return undefined;
    const isWhole = segments[0] === "properties" && segments.length > 1;
    return { segments: isWhole ? segments : ["properties", ...segments], type: "auto" };
  },
};

/** A path beginning with `geo.` or `device.` names that part of the event; every other one is in its properties. */
function isEventPart([first, ...rest]: readonly string[]): boolean {
  return (first === "geo" || first === "device") && rest.length > 0;
}
