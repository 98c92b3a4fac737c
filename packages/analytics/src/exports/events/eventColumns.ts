import type { ExportedContactColumn, JobInput } from "@headwater/contracts";
import { stagedValue } from "../cells.ts";
import { toExportColumns } from "../contacts/columns.ts";
import type { ExportColumn } from "../exportKind.ts";

/** A column of activities and the SQL of its staged value, over rows of `eventRowsSql`. */
export interface EventColumn extends ExportColumn {
  readonly sql: string;
}

type Own = readonly [type: ExportColumn["type"], sql: string];

const nullIfEmpty = (sql: string) => `nullIf(${sql}, '')`;

/** Columns of an activity itself. `e` names its row, `c` the live contact's. */
const own: Readonly<Record<string, Own>> = {
  id: ["id", "e.record"],
  action: ["text", "e.action"],
  cID: ["text", "c.cid"],
  email: ["text", "c.email"],
  time: ["moment", "e.time"],
  receivedAt: ["moment", "e.ingested"],
  mcID: ["text", nullIfEmpty("e.mc_id")],
  bmID: ["text", nullIfEmpty("toString(e.message)")],
  UID: ["text", "if(e.uid = e.record, NULL, e.uid)"],
  properties: ["object", "e.properties"],
  geo: ["object", geoSql()],
  "geo.city": ["text", nullIfEmpty("e.geo_city")],
  "geo.country": ["text", nullIfEmpty("toString(e.geo_country)")],
  "geo.geoLoc": ["object", nullIfEmpty(positionSql())],
  "geo.geoLoc.lat": ["number", "e.geo_lat"],
  "geo.geoLoc.lon": ["number", "e.geo_lon"],
  device: ["object", nullIfEmpty("e.device")],
  place: [
    "text",
    "concat(toString(e.lane), '/', toString(e.topic_generation), '/', toString(e.partition), '/', toString(e.log_offset), '/', toString(e.place))",
  ],
};

export const DEFAULT_COLUMNS = [
  "id",
  "action",
  "cID",
  "email",
  "time",
  "receivedAt",
  "mcID",
  "bmID",
  "UID",
  "properties",
];

/** SQL of a geo value as JSON; empty where a coordinate is missing. */
function positionSql(): string {
  return `if(isNull(e.geo_lat) OR isNull(e.geo_lon), '', concat('{"lat":', toString(assumeNotNull(e.geo_lat)), ',"lon":', toString(assumeNotNull(e.geo_lon)), '}'))`;
}

function geoSql(): string {
  const member = (name: string, column: string) =>
    `if(${column} = '', '', concat('"${name}":', toJSONString(toString(${column}))))`;
  const position = `if(${positionSql()} = '', '', concat('"geoLoc":', ${positionSql()}))`;
  const members = `arrayFilter(m -> m != '', [${member("city", "e.geo_city")}, ${member("country", "e.geo_country")}, ${position}])`;
  return `if(empty(${members}), NULL, concat('{', arrayStringConcat(${members}, ','), '}'))`;
}

type Input = JobInput<"ExportEvents">;

/**
 * The columns that the caller asked for, or those of every export and one for each property of `propertyNames`.
 * @param bind the placeholder of a text.
 */
export function eventColumns(
  { columnHeaders, additionalFields, contactFields, hasProperties }: Input,
  propertyNames: readonly string[],
  bind: (text: string) => string,
): EventColumn[] {
  const ofContact = toExportColumns(contactFields.map((column) => ({ ...column, label: undefined })));
  const contact = new Map(
    ofContact.map((column, index) => [`contact.${column.name}`, { ...column, sql: `c.c${index + 2}` }]),
  );
  const names =
    columnHeaders ??
    [
      ...DEFAULT_COLUMNS.filter((name) => hasProperties || name !== "properties"),
      ...additionalFields.filter((name) => !DEFAULT_COLUMNS.includes(name)),
      ...propertyNames.map((name) => `properties.${name}`),
      ...contact.keys(),
    ].map((name) => ({ name }));
  return names.map(({ name, label }: { readonly name: string; readonly label?: string | undefined }) => {
    const found = contact.get(name);
    const column = found ?? ownColumn(name, bind);
    return { name: label ?? name, field: name, type: column.type, sql: column.sql };
  });
}

function ownColumn(name: string, bind: (text: string) => string): Pick<EventColumn, "type" | "sql"> {
  const known = Object.hasOwn(own, name) ? own[name] : undefined;
  if (known !== undefined) return { type: known[0], sql: known[1] };
  const [group = "", ...rest] = name.split(".");
  const document = group === "device" ? "e.device" : "e.properties";
  return { type: "auto", sql: memberSql(document, rest, bind) };
}

/** A member of a JSON document: by the whole path as one name first, then as a path, for names may have points. */
function memberSql(document: string, path: readonly string[], bind: (text: string) => string): string {
  const whole = bind(path.join("."));
  const at = (steps: string) => `JSONExtractRaw(${document}, ${steps})`;
  const nested = path.length > 1 ? at(path.map(bind).join(", ")) : "''";
  const found = `if(JSONHas(${document}, ${whole}), ${at(whole)}, ${nested})`;
  const kind = `multiIf(startsWith(v, '"'), 'string', startsWith(v, '{'), 'object', startsWith(v, '['), 'array', 'number')`;
  const text = `if(startsWith(v, '"'), JSONExtractString(v), v)`;
  return `arrayElement(arrayMap(v -> if(v IN ('', 'null'), NULL, ${stagedValue(kind, text)}), [${found}]), 1)`;
}

/** Contact columns that activities are joined with: the address first, then those that were asked for. */
export function contactColumnsOf({ contactFields }: Input): ExportedContactColumn[] {
  const email = { kind: "channel", channel: "email", member: "address" } as const;
  return [{ name: "email", source: email }, ...contactFields.map(({ name, source }) => ({ name, source }))];
}
