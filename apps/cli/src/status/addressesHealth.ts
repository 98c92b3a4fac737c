import { withTimeout } from "@headwater/kernel";
import type { Call } from "../call.ts";
import { INTAKE_ELSEWHERE, isIntakeAddressUnknown } from "../service/access.ts";
import { KeyRefused, look, type PartStatus, unknownPart } from "./parts.ts";

const TIMEOUT_MS = 5_000;
const REFUSED: readonly number[] = [401, 403];

/** Checks whether everything that has an address answers there. */
export async function checkAddresses(call: Pick<Call, "addresses" | "access" | "connections">): Promise<PartStatus[]> {
  const { addresses, connections } = call;
  const access = call.access();
  const { intakeUrl: ingress, baseUrl: service, apiKey: key } = access;
  const advice = isIntakeAddressUnknown(access) ? INTAKE_ELSEWHERE : undefined;
  const headers: Record<string, string> = key === undefined ? {} : { "x-api-key": key };
  return Promise.all([
    at("ingress", ingress, (url) => get(`${url}/api/checkAuth`, headers, advice)),
    at("service", service, (url) => get(`${url}/v2/health`, {})),
    at("postgres", addresses.POSTGRES_URL, () => connections.withPostgres((postgres) => answered(postgres.ping()))),
    at("clickhouse", addresses.CLICKHOUSE_URL, () => answered(connections.pingClickHouse())),
    at("registry", addresses.SCHEMA_REGISTRY_URL, (url) => get(`${url}/subjects`, {})),
  ]);
}

async function at(part: string, url: string | undefined, ask: (url: string) => Promise<string>): Promise<PartStatus> {
  if (url === undefined) return unknownPart(part);
  return look(part, () => ask(url.replace(/\/$/, "")));
}

/**
 * Requests a URL. Without a key 401 is the healthy answer of an address that asks for one.
 * @param advice given where the path is not there.
 */
async function get(url: string, headers: Record<string, string>, advice?: string): Promise<string> {
  const response = await withTimeout((signal) => fetch(url, { headers, signal }), TIMEOUT_MS);
  await response.arrayBuffer();
  if (response.ok) return "answers";
  const isRefused = REFUSED.includes(response.status);
  if (isRefused && headers["x-api-key"] === undefined) return "answers, asks for a key";
  const hint = response.status === 404 && advice !== undefined ? `. ${advice}` : "";
  const what = `GET ${new URL(url).pathname} answers ${response.status}${hint}`;
  throw isRefused ? new KeyRefused(`${what}: the key is not valid here`) : new Error(what);
}

async function answered(ping: Promise<void>): Promise<string> {
  await ping;
  return "answers";
}
