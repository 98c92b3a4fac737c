import { gzipSync } from "node:zlib";
import type { Post } from "./ingressFixture.ts";

export const KIB = 1024;
export const single = "/api/upsertContact";
export const batch = "/api/upsertContact/batch";
export const person = (email: string) => ({ identifiers: { email }, attributes: { n: 1 }, canBeCreated: true });
const withMember = (text: string) => `{"identifiers":{"email":"x@example.com"},${text}}`;
const activity = (members: object) => ({
  contact: { identifiers: { email: "x@example.com" } },
  contactactivities: [{ name: "browse", time: "2026-01-09", ...members }],
});
const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
const manyParts = `0${".0".repeat(4_499)}`;
const gzip = { "content-encoding": "gzip" };

export interface Row extends Omit<Post, "key"> {
  readonly what: string;
  readonly status: number;
  readonly code: string;
  readonly detail?: string;
  readonly key?: string;
}

/** A whole request that is refused. */
export const requests: readonly Row[] = [
  { what: "no key", path: single, key: "", body: person("a@b.c"), status: 401, code: "AUTHENTICATION_FAILED" },
  {
    what: "a wrong key",
    path: single,
    key: "hw_wrong",
    body: person("a@b.c"),
    status: 401,
    code: "AUTHENTICATION_FAILED",
  },
  {
    what: "a key of 100 KiB",
    path: single,
    key: "k".repeat(20 * KIB),
    body: person("a@b.c"),
    status: 401,
    code: "AUTHENTICATION_FAILED",
  },
  { what: "not JSON", path: single, body: "{nonsense", status: 422, code: "INVALID_JSON_PROVIDED" },
  { what: "not JSON in a batch", path: batch, body: "[{},", status: 422, code: "INVALID_JSON_PROVIDED" },
  { what: "no body", path: single, body: "", status: 422, code: "INVALID_JSON_PROVIDED" },
  {
    what: "a wrong content type",
    path: single,
    body: "a=b",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    status: 415,
    code: "UNSUPPORTED_MEDIA_TYPE",
  },
  {
    what: "NDJSON where there is one item",
    path: single,
    body: "{}",
    headers: { "content-type": "application/x-ndjson" },
    status: 415,
    code: "UNSUPPORTED_MEDIA_TYPE",
  },
  {
    what: "bad gzip",
    path: single,
    body: "no gzip",
    headers: gzip,
    status: 422,
    code: "INVALID_JSON_PROVIDED",
    detail: " bad_encoding",
  },
  {
    what: "gzip cut off",
    path: batch,
    body: gzipSync(JSON.stringify([person("a@b.c")])).subarray(0, 40),
    headers: gzip,
    status: 422,
    code: "INVALID_JSON_PROVIDED",
    detail: " bad_encoding",
  },
  {
    what: "bytes that are not UTF-8",
    path: single,
    body: Buffer.from('{"identifiers":{"email":"\xff"}}', "latin1"),
    status: 422,
    code: "INVALID_JSON_PROVIDED",
    detail: " bad_encoding",
  },
  {
    what: "a gzip bomb",
    path: batch,
    body: gzipSync(Buffer.alloc(200 * KIB * KIB, 32)),
    headers: gzip,
    status: 413,
    code: "PAYLOAD_TOO_LARGE",
  },
  {
    what: "a single body of 300 KiB",
    path: single,
    body: withMember(`"attributes":{"a":"${"x".repeat(300 * KIB)}"}`),
    status: 413,
    code: "PAYLOAD_TOO_LARGE",
  },
  {
    what: "a batch of 11 MiB",
    path: batch,
    body: JSON.stringify("x".repeat(11 * KIB * KIB)),
    status: 413,
    code: "PAYLOAD_TOO_LARGE",
  },
  {
    what: "1,001 items",
    path: batch,
    body: Array.from({ length: 1_001 }, () => person("a@b.c")),
    status: 413,
    code: "PAYLOAD_TOO_LARGE",
  },
  {
    what: "1,001 lines",
    path: batch,
    body: '{"identifiers":{"email":"a@b.c"}}\n'.repeat(1_001),
    headers: { "content-type": "application/x-ndjson" },
    status: 413,
    code: "PAYLOAD_TOO_LARGE",
  },
  { what: "10,000 levels", path: single, body: nested(10_000), status: 422, code: "VALIDATION_ERROR" },
  {
    what: "10,000 levels around a batch",
    path: batch,
    body: `${"[".repeat(10_000)}${"]".repeat(10_000)}`,
    status: 422,
    code: "VALIDATION_ERROR",
  },
  {
    what: "10,000 levels beside the items",
    path: batch,
    body: `{"items":[{}],"foo":${nested(10_000)}}`,
    status: 422,
    code: "VALIDATION_ERROR",
    detail: " out_of_range",
  },
  {
    what: "__proto__ in the envelope",
    path: batch,
    body: '{"__proto__":{"items":[]},"items":[{}]}',
    status: 422,
    code: "VALIDATION_ERROR",
    detail: "/__proto__ not_allowed",
  },
  {
    what: "an unknown parameter",
    path: `${single}?verbose=1`,
    body: person("a@b.c"),
    status: 400,
    code: "BAD_REQUEST",
    detail: "/verbose unknown_field",
  },
  {
    what: "a parameter given twice",
    path: `${batch}?strict=true&strict=false`,
    body: [person("a@b.c")],
    status: 400,
    code: "BAD_REQUEST",
  },
  {
    what: "an Idempotency-Key of 256 characters",
    path: single,
    body: person("a@b.c"),
    headers: { "idempotency-key": "k".repeat(256) },
    status: 400,
    code: "BAD_REQUEST",
  },
];

/** An item that is refused: operation, the item as text, and where and why. */
export const items: readonly (readonly [what: string, operation: string, item: string, detail: string])[] = [
  ["no object", "upsertContact", "7", " type_mismatch"],
  ["null", "upsertContact", "null", " type_mismatch"],
  ["nothing in it", "upsertContact", "{}", "/identifiers required"],
  ["300 KiB", "upsertContact", withMember(`"attributes":{"a":"${"x".repeat(300 * KIB)}"}`), " too_long"],
  ["NUL", "upsertContact", withMember('"attributes":{"a":"x\\u0000"}'), "/attributes/a bad_value"],
  ["NUL in a name", "upsertContact", withMember('"attributes":{"a\\u0000":"x"}'), "/attributes/a bad_value"],
  ["half a surrogate pair", "upsertContact", withMember('"attributes":{"a":"\\ud83d"}'), "/attributes/a bad_value"],
  ["the other half", "upsertContact", '{"identifiers":{"email":"\\uDE00"}}', "/identifiers/email bad_value"],
  [
    "__proto__",
    "upsertContact",
    withMember('"attributes":{"__proto__":{"admin":true}}'),
    "/attributes/__proto__ not_allowed",
  ],
  [
    "__proto__ escaped",
    "upsertContact",
    withMember('"attributes":{"\\u005f_proto__":1}'),
    "/attributes/__proto__ not_allowed",
  ],
  [
    "__proto__ in properties",
    "createContactactivities",
    '{"contact":{"identifiers":{"email":"x@example.com"}},"contactactivities":[{"name":"b","time":"2026-01-09","properties":{"a":{"__proto__":1}}}]}',
    "/contactactivities/0/properties/a/__proto__ not_allowed",
  ],
  [
    "10,000 levels in an attribute",
    "upsertContact",
    withMember(`"attributes":{"a":${nested(10_000)}}`),
    "/attributes/a out_of_range",
  ],
  ["10,000 levels in an unknown member", "upsertContact", withMember(`"foo":${nested(10_000)}`), " out_of_range"],
  [
    "10,000 levels in an identifier",
    "upsertContact",
    `{"identifiers":{"email":${nested(10_000)}}}`,
    "/identifiers/email type_mismatch",
  ],
  [
    "six levels of properties",
    "createContactactivities",
    JSON.stringify(activity({ properties: JSON.parse(nested(6)) })),
    "/contactactivities/0/properties out_of_range",
  ],
  [
    "a property whose name has 4,500 parts",
    "createContactactivities",
    JSON.stringify(activity({ properties: { [manyParts]: 1 } })),
    `/contactactivities/0/properties/${manyParts} too_long`,
  ],
  [
    "a property whose name has six parts",
    "createContactactivities",
    JSON.stringify(activity({ properties: { "a.b.c.d.e.f": 1 } })),
    "/contactactivities/0/properties/a.b.c.d.e.f too_many",
  ],
  [
    "an attribute whose name has 1,025 bytes",
    "upsertContact",
    withMember(`"attributes":{"${"n".repeat(1_025)}":1}`),
    `/attributes/${"n".repeat(1_025)} too_long`,
  ],
  [
    "a number beyond 2^53",
    "upsertContact",
    '{"identifiers":{"customer_id":9007199254740993}}',
    "/identifiers/customer_id out_of_range",
  ],
  [
    "a number beyond a double",
    "upsertContact",
    '{"identifiers":{"customer_id":1e400}}',
    "/identifiers/customer_id type_mismatch",
  ],
  ["an empty identifier", "upsertContact", '{"identifiers":{"email":""}}', "/identifiers/email required"],
  ["blanks for an identifier", "upsertContact", '{"identifiers":{"email":"  "}}', "/identifiers/email bad_value"],
  [
    "a date that is none",
    "createContactactivities",
    JSON.stringify(activity({ time: "2026-02-30" })),
    "/contactactivities/0/time bad_value",
  ],
  [
    "a time that is none",
    "createContactactivities",
    JSON.stringify(activity({ time: "yesterday" })),
    "/contactactivities/0/time bad_value",
  ],
  [
    "a time before 1970",
    "createContactactivities",
    JSON.stringify(activity({ time: "1969-12-31" })),
    "/contactactivities/0/time out_of_range",
  ],
  [
    "a time far ahead",
    "createContactactivities",
    JSON.stringify(activity({ time: "2099-01-01" })),
    "/contactactivities/0/time out_of_range",
  ],
  [
    "a name of 41 characters",
    "createContactactivities",
    JSON.stringify(activity({ name: "x".repeat(41) })),
    "/contactactivities/0/name too_long",
  ],
  [
    "a reserved name",
    "createContactactivities",
    JSON.stringify(activity({ name: "open" })),
    "/contactactivities/0/name not_allowed",
  ],
];

/** An item of each operation that is right. */
export const neighbours: Readonly<Record<string, object>> = {
  upsertContact: person("neighbour@example.com"),
  createContactactivities: activity({}),
};
