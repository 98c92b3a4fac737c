import { createSealer } from "@headwater/kernel";
import { serviceDocument } from "@headwater/service/document";
import { type Call, serveService } from "@headwater/service/testService";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";

const { send } = serveService([], {
  sealer: createSealer([Buffer.alloc(32, 7)]),
  producer: { append: async ({ topic, entries }) => [{ ...ENTRY, topic, count: entries.length }] },
});
const ENTRY = { partition: 0, firstOffset: 0, firstPlace: 0, lastOffset: 0, lastPlace: 0 };

const media = z.object({ "application/json": z.object({ schema: z.unknown(), example: z.unknown() }) });
const operation = z.object({
  operationId: z.string(),
  requestBody: z.object({ content: media }).optional().catch(undefined),
  responses: z.record(z.string(), z.object({ content: media.optional().catch(undefined) })),
});
const document = z
  .object({ paths: z.record(z.string(), z.record(z.string(), operation)), components: z.unknown() })
  .parse(await serviceDocument());

type Members = ReadonlyMap<string, unknown>;

/** Returns the schemas of the members that a schema names, in any of its branches. */
function membersOf(schema: unknown): Members {
  const { $ref, properties, anyOf = [], oneOf = [], allOf = [] } = schemaKeys.parse(schema);
  const steps = $ref?.split("/").slice(1) ?? [];
  const referred =
    $ref === undefined ? [] : [steps.reduce<unknown>((at, step) => Reflect.get(Object(at), step), document)];
  const branches = [...referred, ...anyOf, ...oneOf, ...allOf].flatMap((branch) => [...membersOf(branch)]);
  return new Map([...Object.entries(properties ?? {}), ...branches]);
}
const branches = z.array(z.unknown()).optional();
const schemaKeys = z.object({
  ...{ $ref: z.string().optional(), properties: z.record(z.string(), z.unknown()).optional() },
  ...{ anyOf: branches, oneOf: branches, allOf: branches },
});

function answerOf(path: string, method = "get"): Members | undefined {
  const read = document.paths[path]?.[method];
  // A 200 next to 201 is the answer to a dry run.
  const answered = Object.entries(read?.responses ?? {}).findLast(([status]) => status.startsWith("2"))?.[1].content;
  return answered && membersOf(answered["application/json"].schema);
}

/** Returns the members of what a POST creates, as a GET of one or the list shows them; undefined where nothing shows it. */
function visibleBy(path: string): Members | undefined {
  const one = Object.keys(document.paths).find((other) => other.replace(/\/\{\w+\}$/, "") === path && other !== path);
  const page = answerOf(path);
  const data = z.object({ items: z.unknown() }).safeParse(page?.get("data"));
  const ofOne = one === undefined ? undefined : answerOf(one);
  return ofOne ?? (data.success ? membersOf(data.data.items) : page);
}

interface Creating {
  readonly create: string;
  readonly path: string;
  readonly readOnly: readonly string[];
  readonly example: object;
}

/** Free-form members that a GET shows by name. */
const WRITTEN: ReadonlySet<string> = new Set(["createSupplementrecord cID"]);

const creating = Object.entries(document.paths).flatMap(([path, { post }]): Creating[] => {
  const view = visibleBy(path);
  const body = post?.requestBody?.content["application/json"];
  if (post === undefined || body === undefined || view === undefined) return [];
  const taken = membersOf(body.schema);
  const readOnly = [...view.keys()].filter((name) => !taken.has(name) && !WRITTEN.has(`${post.operationId} ${name}`));
  const [example] = [body.example].flat();
  return [{ create: post.operationId, path, readOnly, example: Object(example) }];
});

/** Parameters and bodies with which the rows of a route exist. */
const needed: Readonly<Record<string, Pick<Call, "params"> & { readonly body?: object }>> = {
  createOrder: { body: { cID: undefined, email: "ada@example.com" } },
  setCart: { params: { primary_key: "email:ada@example.com" } },
  createSupplementrecord: { params: { key: "boats" } },
};

beforeAll(async () => {
  await send("createContact", { body: { channels: { email: { address: "ada@example.com" } } } });
  await send("createSupplement", { body: { key: "boats", name: "Boats", indexes: [], contactObject: true } });
});

test("a POST that creates what a GET shows is among those tested here, with what is read-only", () => {
  const known = new Map(creating.map(({ create, readOnly }) => [create, readOnly]));
  expect(known.get("createProgram")).toEqual(["id", "ct", "lm"]);
  expect(known.get("createSuppression")).toEqual(["id", "ct"]);
  expect([known.get("createContact"), known.get("setCart")]).toEqual([
    expect.arrayContaining(["cID", "identifiers", "lastModified"]),
    expect.arrayContaining(["totalAmount", "updatedAt"]),
  ]);
  expect(known.has("mergeContacts")).toBe(false);
});

test.each(creating)("$create names each read-only member of its body, a repeat again", async (one) => {
  const { create, path, readOnly, example } = one;
  const { params, body } = needed[create] ?? {};
  const input = Object.fromEntries(readOnly.map((name) => [name, "as it was read"]));
  const call = {
    ...(params && { params }),
    body: { ...example, ...body, ...input },
    headers: { "idempotency-key": create },
  };
  const answer = await send(create, call);
  const named = readOnly.map((name) => expect.objectContaining({ path: `/${name}`, code: "read_only" }));
  expect([answer.status, answer.body.details]).toEqual([expect.toSatisfy((status) => status < 300), undefined]);
  expect(answer.body.warnings ?? []).toEqual(named);
  expect((await send(create, call)).body.warnings).toEqual(answer.body.warnings);
  expect(answerOf(path, "post")?.has("warnings")).toBe(true);
});
