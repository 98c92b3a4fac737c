import { randomUUID } from "node:crypto";
import { useServices } from "@headwater/testing";
import { createCodec } from "@headwater/topics";
import { expect, test } from "vitest";
import { z } from "zod";
import { logger } from "../stores/fresh.ts";

const registryUrl = useServices().schemaRegistryUrl;

test("a schema that the registry cannot compare with its next version grows all the same, and never by a loss", async () => {
  const subject = `test.${randomUUID()}`;
  const next = (members: z.ZodRawShape) => {
    const schema = z.toJSONSchema(z.strictObject({ list: z.int().gt(0), ...members }));
    return createCodec({ registryUrl, schemas: { [subject]: schema }, logger }).ready();
  };
  await next({ source: z.string().optional() });
  await expect(next({ source: z.string().optional(), more: z.string().optional() })).resolves.toBeUndefined();
  await expect(next({ more: z.string().optional() })).rejects.toMatchObject({ code: "SCHEMA_REFUSED" });
  const config: unknown = await (await fetch(`${registryUrl}/config/${subject}`)).json();
  expect(config).toEqual({ compatibilityLevel: "BACKWARD" });
});
