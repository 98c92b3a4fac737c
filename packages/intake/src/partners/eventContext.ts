import { isMembers, type Members, present, textOf } from "./reading.ts";

/** Reads what a sender knows of where an activity happened: `ip`, `userAgent`, `device`, `location`, and names like them. */
export function readContext(context: Members) {
  const device = readDevice(context);
  const geo = readGeo(context);
  return {
    ...(Object.keys(device).length === 0 ? {} : { device }),
    ...(Object.keys(geo).length === 0 ? {} : { geo }),
  };
}

function readDevice(context: Members) {
  const device = isMembers(context.device) ? context.device : {};
  const os = isMembers(context.os) ? context.os : {};
  return present({
    type: deviceType(textOf(device.type)),
    device: textOf(context.device) ?? textOf(device.model) ?? textOf(device.device) ?? textOf(device.name),
    platform: textOf(context.platform) ?? textOf(device.platform) ?? textOf(os.name),
    browser: textOf(context.browser) ?? textOf(device.browser) ?? textOf(context.userAgent),
    ip: textOf(context.ip) ?? textOf(device.ip),
    robot: typeof device.robot === "boolean" ? device.robot : undefined,
  });
}

/** The three kinds there are, as senders call them. */
const kinds: ReadonlyMap<string, "Computer" | "Tablet" | "Mobile"> = new Map([
  ["computer", "Computer"],
  ["desktop", "Computer"],
  ["tablet", "Tablet"],
  ["mobile", "Mobile"],
  ["phone", "Mobile"],
  ["smartphone", "Mobile"],
  ["android", "Mobile"],
  ["ios", "Mobile"],
]);

function deviceType(input: string | undefined): "Computer" | "Tablet" | "Mobile" | undefined {
  return input === undefined ? undefined : kinds.get(input.toLowerCase());
}

function readGeo(context: Members) {
  const path = [context.geo, context.location].find(isMembers) ?? {};
  const inner = isMembers(path.geoLoc) ? path.geoLoc : {};
  return present({
    city: textOf(path.city),
    country: textOf(path.country),
    geoLoc: readPoint(inner.lat ?? path.latitude ?? path.lat, inner.lon ?? path.longitude ?? path.lon),
  });
}

/** A point of two numbers, or of their texts. */
export function readPoint(latitude: unknown, longitude: unknown): { lat: number; lon: number } | undefined {
  const [lat, lon] = [degrees(latitude), degrees(longitude)];
  return lat === undefined || lon === undefined || Math.abs(lat) > 90 || Math.abs(lon) > 180 ? undefined : { lat, lon };
}

function degrees(provided: unknown): number | undefined {
  const text = textOf(provided);
  const value = text === undefined ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}
