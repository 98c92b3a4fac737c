import { randomUUID } from "node:crypto";
import { frameSchema } from "@headwater/intake/operations/jsonSchema";
import { operations } from "@headwater/intake/operations/registry";
import { useServices } from "@headwater/testing";
import { createCodec, createSchemaRegistry } from "@headwater/topics";
import { expect, test } from "vitest";
import { logger } from "../../contract/stores/fresh.ts";

const registryUrl = useServices().schemaRegistryUrl;

function codecFor(subjects: readonly string[]) {
  const [operation] = operations;
  if (operation === undefined) throw new Error("there are no operations");
  const schemas = Object.fromEntries(subjects.map((subject) => [subject, frameSchema(operation)]));
  return createCodec({ registryUrl, schemas, logger });
}

test("processes that start together on an empty registry all get ready, and agree on the ids", async () => {
  const name = randomUUID();
  const subjects = ["one", "two", "three", "four"].map((each) => `race.${name}.${each}`);
  const codecs = Array.from({ length: 6 }, () => codecFor(subjects));
  await Promise.all(codecs.map((codec) => codec.ready()));
  const ids = codecs.map((codec) => subjects.map((subject) => codec.encode(subject, {}).readInt32BE(1)));
  for (const known of ids) expect(known).toEqual(ids[0]);
});

test("a subject whose registration was broken off before it had its rule is taken up", async () => {
  const subject = `race.${randomUUID()}`;
  const library = createSchemaRegistry(registryUrl, 5_000);
  const [operation] = operations;
  const { $schema: _dialect, ...schema } = frameSchema(operation ?? expect.fail("there are no operations"));
  const text = JSON.stringify({ ...schema, title: subject });
  const body = JSON.stringify({ schemaType: "JSON", schema: text });
  const headers = { "content-type": "application/vnd.schemaregistry.v1+json" };
  const url = `${registryUrl}/subjects/${subject}/versions`;
  expect((await fetch(url, { method: "POST", headers, body })).status).toBe(200);
  const codec = codecFor([subject]);
  await codec.ready();
  const config: unknown = await (await fetch(`${registryUrl}/config/${subject}`)).json();
  expect(config).toEqual({ compatibilityLevel: "BACKWARD" });
  expect(await library.getLatestSchemaId(subject)).toBe(codec.encode(subject, {}).readInt32BE(1));
});
