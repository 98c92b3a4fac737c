import { checkCriteria } from "@headwater/audiences/audiences/checkCriteria";
import { type Checking, examineCriteria } from "@headwater/audiences/criteria/examineCriteria";
import type { JobInput } from "@headwater/contracts";
import { type CriteriaNode, isFieldLeaf, isListLeaf, isLogic } from "@headwater/criteria";
import type { Refuse } from "@headwater/http";
import { loadAttributes } from "@headwater/records/attributes/postgres";
import { readFirstLists } from "@headwater/records/lists/lists";
import { below } from "../configurationProblems.ts";
import type { ExportRequest } from "../readExportRequest.ts";
import type { ExportPorts } from "../startExport.ts";

type Segments = JobInput<"ExportAudienceTrends">["segments"];

/** The largest values have rows of their own; all others are one together, and so are those without a value. */
const SEGMENTS_MAX = 50;
const BESIDE = 2;
/** Lists of an account among which the largest are searched for. */
const LISTS_MAX = 10_000;

export function segmentsAtMost(segments: Segments): number {
  if (segments === undefined) return 1;
  return BESIDE + (segments.kind === "lists" ? Math.min(SEGMENTS_MAX, segments.lists.length) : SEGMENTS_MAX);
}

/** A field, `country`, `list`, or lists, by which contacts are grouped. */
type SegmentBy = string | { readonly lists: readonly unknown[] };

type SegmentRequest = Pick<ExportRequest, "problems"> & {
  readonly members: { readonly segmentBy?: SegmentBy | null | undefined };
};

export function readSegmentBy(value: unknown, refuse: Refuse): SegmentBy | undefined {
  if (typeof value === "string") return value;
  const lists: unknown = typeof value === "object" && value !== null ? Reflect.get(value, "lists") : undefined;
  if (!Array.isArray(lists) || Object.keys(Object(value)).length > 1)
    return refuse("type_mismatch", "The value must be a field path, `country`, `list` or {lists: […]}.");
  if (lists.length === 0 || lists.length > SEGMENTS_MAX)
    return refuse("out_of_range", `A trend names 1 to ${SEGMENTS_MAX} lists.`, { below: ["lists"] });
  return { lists };
}

/**
 * Reads what contacts are grouped by.
 * @throws HeadwaterError 422 `EXPORT_CONFIGURATION_ERROR`.
 */
export async function readSegments(request: SegmentRequest, checking: Checking, ports: ExportPorts): Promise<Segments> {
  const by = request.members.segmentBy ?? undefined;
  if (by === undefined) return undefined;
  if (by === "list") return listSegments(await listIds(checking, ports), checking, ports);
  if (by === "country") return countrySegments(request, checking, ports);
  if (typeof by === "string") return fieldSegments(by, request, checking, ports);
  return namedLists(by.lists, request, checking, ports);
}

async function listIds({ account }: Checking, { postgres }: ExportPorts): Promise<number[]> {
  const lists = await readFirstLists(postgres, { account: account.number, rowsMax: LISTS_MAX });
  return lists.map(({ id }) => id);
}

async function namedLists(
  lists: readonly unknown[],
  request: SegmentRequest,
  checking: Checking,
  ports: ExportPorts,
): Promise<Segments> {
  const found: unknown[] = [];
  for (const [index, list] of lists.entries()) {
    const examined = await examineCriteria({ list, op: "in" }, checking, ports);
    if (examined.kind === "ok" && isListLeaf(examined.criteria)) found.push(examined.criteria.list);
    else if (examined.kind === "invalid") {
      const at = below("/segmentBy/lists", index);
      for (const { code, message, allowed } of examined.details) request.problems.add(at, code, message, allowed);
    }
  }
  return { kind: "lists", lists: found };
}

/** Reads the lists with their clears, some at a time: criteria have a bound of nodes. */
async function listSegments(ids: readonly number[], checking: Checking, ports: ExportPorts): Promise<Segments> {
  const lists: unknown[] = [];
  const AT_A_TIME = 150;
  for (let position = 0; position < ids.length; position += AT_A_TIME) {
    const or = ids.slice(position, position + AT_A_TIME).map((list) => ({ list, op: "in" }));
    const node = await checkCriteria({ or }, checking, ports);
    if (isLogic(node)) lists.push(...node.nodes.filter(isListLeaf).map(({ list }) => list));
  }
  return { kind: "lists", lists };
}

/** The attribute of that name, else the part of the first geo attribute. */
async function countrySegments(request: SegmentRequest, checking: Checking, ports: ExportPorts): Promise<Segments> {
  const attributes = await loadAttributes(ports.postgres, checking.account.number);
  if (attributes.some(({ key }) => key === "country"))
    return fieldSegments("attributes.country", request, checking, ports);
  const geo = attributes.filter(({ type }) => type === "geo").toSorted((a, b) => (a.key < b.key ? -1 : 1))[0];
  if (geo !== undefined) return fieldSegments(`attributes.${geo.key}.country`, request, checking, ports);
  const message = "The account has neither an attribute `country` nor a geo attribute.";
  return request.problems.add("/segmentBy", "bad_value", message);
}

async function fieldSegments(
  field: string,
  request: SegmentRequest,
  checking: Checking,
  ports: ExportPorts,
): Promise<Segments> {
  const { problems } = request;
  const examined = await examineCriteria({ field, op: "exists" }, checking, ports);
  if (examined.kind === "invalid") {
    for (const { code, message, allowed } of examined.details) problems.add("/segmentBy", code, message, allowed);
    return undefined;
  }
  const target = fieldTarget(examined.criteria);
  if (target !== undefined) return { kind: "field", target };
  return problems.add(
    "/segmentBy",
    "bad_value",
    "Contacts are segmented by texts, numbers, booleans, arrays of them, and lists.",
  );
}

/** Values that two contacts may share; an instant or a location is none. */
function fieldTarget(node: CriteriaNode) {
  if (!isFieldLeaf(node)) return undefined;
  const { target } = node;
  if (target.kind === "address" || target.kind === "status") return target;
  if (target.kind !== "value") return undefined;
  const isWhole = target.part === undefined;
  return isWhole && (target.declared === "geo" || target.declared === "date") ? undefined : target;
}
