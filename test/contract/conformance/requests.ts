import { bodiesOf, valueFrom } from "./bodies.ts";
import type { Operation, Parameter } from "./description.ts";

/** One request, and what the specification says of its answer. */
export interface Trial {
  readonly what: string;
  readonly path: string;
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly as: Caller;
  /** Statuses that may come; absent: every documented one but a 5xx. */
  readonly expected?: readonly number[];
  /** The body is JSON of its media type: a success is wrong when the document's schema refuses it. */
  readonly isJudged: boolean;
}

/** Owner of the key that is sent: the account, another account, one without the scope, a wrong one, none. */
export type Caller = "owner" | "other" | "scopeless" | "wrong" | "nobody";

export interface Plan {
  /** Values of path parameters with which the operation finds something. */
  readonly path: Readonly<Record<string, string>>;
  /** Parameters of the query that the operation cannot do without. */
  readonly query: Readonly<Record<string, string>>;
  readonly statuses: RefusalStatuses;
  /** Its caller shows itself by something that is no security scheme. */
  readonly isProved?: boolean;
  readonly seed: number;
  readonly runs: number;
}

/** Statuses for a request that is wrong for any operation. */
export interface RefusalStatuses {
  readonly brokenJson: number;
  readonly wrongType: number;
  /** Undefined where members of the query that nobody knows are left alone. */
  readonly unknownQuery: number | undefined;
}

const JSON_TYPE = { "content-type": "application/json" };
const UNKNOWN_ID = "unknown-zz";
const ODD_IDS = ["0", "%00", "%F0%9F%92%A9", "a%2Fb", "__proto__", "cID:zz", "email:", "x".repeat(600), "%ED%A0%80"];
const NOT_JSON = [
  "{nonsense",
  "",
  "null",
  "[]",
  '"text"',
  "7",
  '{"__proto__":{"a":1}}',
  `${"[".repeat(80)}${"]".repeat(80)}`,
];

/** Every request that one operation gets, the one that succeeds first. */
export function trialsOf(operation: Operation, plan: Plan): readonly Trial[] {
  const example = exampleOf(operation, plan);
  return [
    { ...example, what: "the example", expected: SUCCESSES },
    ...callers(operation, plan, example),
    ...paths(operation, plan, example),
    ...queries(operation, plan, example),
    ...bodies(operation, plan, example),
    ...headers(operation, example),
  ];
}

const SUCCESSES = [200, 201, 202, 206];

function exampleOf(operation: Operation, { path, query }: Plan): Trial {
  const body = operation.body?.example;
  const filled = fill(operation, path);
  return {
    what: "the example",
    path: withQuery(filled, query),
    body: body === undefined ? undefined : JSON.stringify(body),
    headers: body === undefined ? {} : JSON_TYPE,
    as: "owner",
    isJudged: body !== undefined,
  };
}

function fill({ path, parameters, operationId }: Operation, values: Readonly<Record<string, string>>): string {
  return parameters
    .filter((one) => one.in === "path")
    .reduce((rest, { name }) => {
      const value = values[name];
      if (value === undefined) throw new Error(`${operationId}: no value for the path's ${name}`);
      return rest.replace(`{${name}}`, encodeURIComponent(value));
    }, path);
}

function withQuery(path: string, more: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(more).toString();
  if (text === "") return path;
  return `${path}${path.includes("?") ? "&" : "?"}${text}`;
}

function callers({ scheme, scope }: Operation, { isProved }: Plan, example: Trial): Trial[] {
  if (scheme === undefined && isProved !== true) return [];
  return [
    { ...example, what: "no key", as: "nobody", expected: [401] },
    { ...example, what: "a wrong key", as: "wrong", expected: [401] },
    { ...example, what: "another account's key", as: "other" },
    ...(scope === undefined
      ? []
      : [{ ...example, what: "a key without the scope", as: "scopeless", expected: [403] } as const]),
  ];
}

function paths(operation: Operation, plan: Plan, example: Trial): Trial[] {
  const names = operation.parameters.filter((one) => one.in === "path").map(({ name }) => name);
  return names.flatMap((name) =>
    [UNKNOWN_ID, ...someOf(ODD_IDS, { ...plan, few: 3 })].map((odd) => {
      const path = fill(operation, { ...plan.path, [name]: MARK }).replace(MARK, odd);
      return { ...example, what: `${name} ${odd.slice(0, 20)}`, path: withQuery(path, plan.query) };
    }),
  );
}

const MARK = "MARKED-PLACE";

function queries({ parameters }: Operation, { seed, runs, statuses }: Plan, example: Trial): Trial[] {
  const ask = (more: Readonly<Record<string, string>>, expected?: readonly number[]): Trial => ({
    ...example,
    what: `?${new URLSearchParams(more)}`.slice(0, 120),
    path: withQuery(example.path, more),
    ...(expected && { expected }),
  });
  const known = parameters.filter((one) => one.in === "query");
  const has = (name: string) => known.some((one) => one.name === name);
  const paging = has("per_page")
    ? [
        ask({ per_page: "501" }, [422]),
        ask({ page: "101", per_page: "100" }, [422]),
        ask({ page: "0" }, [400]),
        ask({ page: "2", per_page: "1", return_count: "true" }),
        ask({ page: "1", cursor: "abc" }, [400]),
      ]
    : [];
  return [
    ask({ surprise: "1" }, statuses.unknownQuery === undefined ? SUCCESSES : [statuses.unknownQuery]),
    ...paging,
    ...(has("cursor") ? [ask({ cursor: "bad" }, [400]), ask({ cursor: "W10" }, [400])] : []),
    ...(has("after") ? [ask({ after: "bad" }, [400])] : []),
    ...known.flatMap((one) => valuesOf(one, seed, runs).map((value) => ask({ [one.name]: value }))),
    ...known.filter(({ name }) => /(\[|^from$|^to$)/.test(name)).map(({ name }) => ask({ [name]: "tomorrow" })),
  ];
}

/** Returns values to try for a parameter: good ones by its name, values of its schema, and of wrong types. */
function valuesOf({ name, schema }: Parameter, seed: number, runs: number): readonly string[] {
  const good = GOOD_VALUES[name.replace(/\[(gt|gte|lt|lte)\]$/, "[]")] ?? [];
  const generated = Array.from({ length: Math.ceil(runs / 5) }, (_, run) => String(valueFrom(schema, seed + run)));
  return [...good, ...generated, ...someOf(WRONG_VALUES, { seed: seed + name.length, runs, few: 1 })];
}

const WRONG_VALUES = ["-1", "{}", "\u0000", "9".repeat(40)];

interface Share extends Pick<Plan, "seed" | "runs"> {
  /** Number that a short run takes. */
  readonly few: number;
}

/** All of them in a long run; in a short one a few, others with every seed. */
function someOf(values: readonly string[], { seed, runs, few }: Share): readonly string[] {
  if (runs >= LONG_RUNS) return values;
  const at = seed % values.length;
  return [...values.slice(at), ...values.slice(0, at)].slice(0, few);
}

const LONG_RUNS = 20;

const TIMES = ["2026-01-09T00:00:00Z", "2026-01-09"];
const GOOD_VALUES: Readonly<Record<string, readonly string[]>> = {
  return_count: ["true"],
  sort_dir: ["asc"],
  sort_by: ["name", "key", "id", "created"],
  fields: ["id", "key", "name", "cID", "orderID"],
  email: ["ada@example.com"],
  list: ["vip", "1"],
  include: ["statistic"],
  group: ["code"],
  wait: ["0"],
  "contactFields[]": ["color", "email"],
  purchaseDate: TIMES,
  from: TIMES,
  to: TIMES,
  "lastModified[]": TIMES,
  "purchaseDate[]": TIMES,
  "time[]": TIMES,
};

function bodies(operation: Operation, { seed, runs, statuses }: Plan, example: Trial): Trial[] {
  if (operation.body === undefined) return [];
  const { brokenJson, wrongType } = statuses;
  const plain = { ...example, isJudged: false };
  const wrong = someOf(NOT_JSON, { seed, runs, few: 3 }).map((body) => ({
    ...plain,
    what: `the body ${body.slice(0, 20)}`,
    body,
  }));
  return [
    { ...plain, what: "broken JSON", body: `${example.body}}`, expected: [brokenJson] },
    { ...plain, what: "a wrong content type", headers: { "content-type": "text/csv" }, expected: [wrongType] },
    ...wrong,
    ...bodiesOf(operation.body, { seed, runs }).map(({ what, body }) => ({
      ...example,
      what,
      body: JSON.stringify(body),
    })),
  ];
}

function headers({ parameters }: Operation, example: Trial): Trial[] {
  const has = (name: string) => parameters.some((one) => one.in === "header" && one.name === name);
  const sent = (what: string, more: Readonly<Record<string, string>>, expected?: readonly number[]): Trial => ({
    ...example,
    what,
    headers: { ...example.headers, ...more },
    ...(expected && { expected }),
  });
  return [
    ...(has("Idempotency-Key")
      ? [
          sent("a key of 256 characters", { "idempotency-key": "k".repeat(256) }, [400]),
          sent("an Idempotency-Key", { "idempotency-key": "once" }),
          sent("an Idempotency-Key again", { "idempotency-key": "once" }),
          {
            ...sent("an Idempotency-Key with another body", { "idempotency-key": "once" }),
            ...otherBody(example),
          },
        ]
      : []),
    ...(has("If-Match") ? [sent("If-Match of another version", { "if-match": '"x"' })] : []),
  ];
}

/** Another body, or, where there is none, the same call. */
function otherBody({ body }: Trial): Pick<Trial, "body" | "isJudged"> {
  return { body: body === undefined ? undefined : "{}", isJudged: false };
}
