import type { Scope } from "./scope.ts";
import { columnValue, jsonValue, type ValueSql } from "./values.ts";

/** Reads a member of an activity: of its properties, its place or its device. */
export function eventValue([part, ...segments]: readonly string[], { bind }: Scope): ValueSql {
  switch (part) {
    case "device":
      return jsonValue("device", segments, bind);
    case "geo":
      return placeValue(segments.join("."));
    default:
      return jsonValue("properties", segments, bind);
  }
}

/** Empty texts and NULL coordinates stand for what was not sent. */
function placeValue(member: string): ValueSql {
  switch (member) {
    case "city":
      return textColumn("geo_city");
    case "country":
      return textColumn("toString(geo_country)");
    case "geoLoc":
      return { ...columnValue("geo_lat", "number"), ...POINT, exists: "geo_lat IS NOT NULL", number: "NULL" };
    default: {
      const column = member === "geoLoc.lat" ? "geo_lat" : "geo_lon";
      return { ...columnValue(column, "number"), exists: `${column} IS NOT NULL` };
    }
  }
}

const POINT = { latitude: "geo_lat", longitude: "geo_lon" } as const;

function textColumn(column: string): ValueSql {
  return { ...columnValue(column, "string"), text: () => `nullIf(${column}, '')`, exists: `${column} != ''` };
}
