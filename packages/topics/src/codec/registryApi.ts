import { COMPATIBILITY } from "@kafkajs/confluent-schema-registry";
import { type JsonSchemaDocument, knownMembersOf } from "./schemaMembers.ts";

const INCOMPATIBLE = 409;

/** Calls that the registry's library does not offer, for one subject. Every call throws when the registry answers no 2xx. */
export interface RegistryApi {
  setCompatibility(rule: COMPATIBILITY): Promise<void>;
  /** Every version of the subject that is published. */
  versions(): Promise<readonly JsonSchemaDocument[]>;
  publish(schema: JsonSchemaDocument): Promise<{ readonly id: number }>;
}

export function createRegistryApi(registryUrl: string, subject: string, timeoutMs: number): RegistryApi {
  const name = encodeURIComponent(subject);
  const ask = async (method: "GET" | "PUT" | "POST", path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`${registryUrl}/${path}`, {
      method,
      headers: { "content-type": "application/vnd.schemaregistry.v1+json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await answer.text();
    if (!answer.ok) throw Object.assign(new Error(`the registry answered ${text}`), { status: answer.status });
    return text === "" ? undefined : JSON.parse(text);
  };
  return {
    async setCompatibility(compatibility) {
      await ask("PUT", `config/${name}`, { compatibility });
    },
    async versions() {
      const numbers = await ask("GET", `subjects/${name}/versions`);
      const all = Array.isArray(numbers) ? numbers : [];
      return Promise.all(
        all.map(async (version) => documentOf(await ask("GET", `subjects/${name}/versions/${version}`))),
      );
    },
    publish: async (schema) =>
      createdBy(await ask("POST", `subjects/${name}/versions`, { schemaType: "JSON", schema: JSON.stringify(schema) })),
  };
}

function documentOf(answer: unknown): JsonSchemaDocument {
  if (typeof answer === "object" && answer !== null && "schema" in answer && typeof answer.schema === "string") {
    return JSON.parse(answer.schema);
  }
  throw new Error("the registry answered no schema");
}

function createdBy(answer: unknown): { readonly id: number } {
  if (typeof answer === "object" && answer !== null && "id" in answer && typeof answer.id === "number") {
    return { id: answer.id };
  }
  throw new Error("the registry answered no id");
}

/**
 * Publishes a version that the registry cannot compare with the earlier ones, after a comparison of our own: readers by it must know
 * every member that any earlier version names.
 * @throws Error with status 409 when they would not.
 */
export async function registerUncompared(
  api: RegistryApi,
  schema: JsonSchemaDocument,
): Promise<{ readonly id: number }> {
  const { isBehind } = knownMembersOf(schema);
  if ((await api.versions()).some(isBehind)) {
    throw Object.assign(new Error("an earlier version has members that this one does not have"), {
      status: INCOMPATIBLE,
    });
  }
  await api.setCompatibility(COMPATIBILITY.NONE);
  try {
    return await api.publish(schema);
  } finally {
    await api.setCompatibility(COMPATIBILITY.BACKWARD);
  }
}
