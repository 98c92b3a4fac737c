import type { Account } from "@headwater/contracts";
import { type NamedAudience, readAudienceNames, readNamedAudiences } from "@headwater/stores/audiences";
import type { Postgres } from "@headwater/stores/postgres";
import { below } from "../configurationProblems.ts";
import type { ExportRequest } from "../readExportRequest.ts";
import { readTexts } from "../readTexts.ts";

/** Names that a misspelled one may have meant. */
const SUGGESTED_MAX = 1_000;

/**
 * The keys, and the ids, of the saved audiences that an export names by id, key or name: sends say either of them. Undefined when
 * it names none.
 */
export async function readAudienceKeys(
  request: ExportRequest,
  { number }: Account,
  { postgres }: { readonly postgres: Postgres },
): Promise<string[] | undefined> {
  const { problems } = request;
  const ids = readTexts(request, "selected_audience_ids");
  const names = readTexts(request, "selected_audience_names");
  if (ids !== undefined && names !== undefined)
    return problems.add("/selected_audience_names", "not_allowed", "`selected_audience_ids` names them already.");
  const [member, given] = ids === undefined ? ["selected_audience_names", names ?? []] : ["selected_audience_ids", ids];
  if (given.length === 0) return undefined;
  const found = await readNamedAudiences(postgres, number, given);
  const isOf = (text: string) => (one: NamedAudience) =>
    ids === undefined ? one.name === text : one.id === text || one.key === text;
  const known = found.filter((one) => given.some((text) => isOf(text)(one)));
  const unknown = [...given.entries()].filter(([, text]) => !known.some(isOf(text)));
  if (unknown.length > 0) {
    const all = await readAudienceNames(postgres, number, SUGGESTED_MAX);
    const suggested = all.map(({ key, name }) => (ids === undefined ? name : key));
    for (const [place, text] of unknown)
      problems.unknown(below(`/${member}`, place), "unknown_reference", text, suggested);
  }
  return known.flatMap(({ id, key }) => [key, id]);
}
