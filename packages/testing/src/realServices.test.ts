import { expect, test } from "vitest";
import { missingServices, serviceSource, useServices } from "./realServices.ts";

const input = {
  KAFKA_BROKERS: "localhost:1",
  SCHEMA_REGISTRY_URL: "http://localhost:2",
  POSTGRES_URL: "postgres://localhost:3/x",
  CLICKHOUSE_URL: "http://localhost:4/x",
};

test("services run as processes unless TEST_SERVICES asks for containers", () => {
  expect([{}, { TEST_SERVICES: "" }, { TEST_SERVICES: "processes" }].map(serviceSource)).toEqual(
    Array(3).fill("processes"),
  );
  expect(serviceSource({ TEST_SERVICES: "containers" })).toBe("containers");
});

test("a word that TEST_SERVICES does not know is refused by name", () => {
  expect(() => serviceSource({ TEST_SERVICES: "docker" })).toThrow('not "docker"');
});

test("only what the environment gives no address of is started", () => {
  expect(missingServices(input)).toEqual([]);
  expect(missingServices({ ...input, KAFKA_BROKERS: "", POSTGRES_URL: undefined })).toEqual([
    "kafkaBrokers",
    "postgresUrl",
  ]);
});

test("a test that runs without services fails with the missing address", () => {
  expect(useServices(input).clickhouseUrl).toBe("http://localhost:4/x");
  expect(() => useServices({ ...input, CLICKHOUSE_URL: "" })).toThrow("CLICKHOUSE_URL is not set");
});
