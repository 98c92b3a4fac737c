import { expect, test } from "vitest";
import { readComposeService } from "./composeFile.ts";

test("every service that the suites need has an image with a version", () => {
  const images = ["kafka", "registry", "postgres", "clickhouse"].map((name) => readComposeService(name).image);
  for (const image of images) expect(image).toMatch(/^[\w./-]+:\d+\.\d+/);
});

test("the settings of a container come along, the files of its secrets do not", () => {
  const { environment, command } = readComposeService("postgres");
  expect(environment).toMatchObject({ POSTGRES_DB: "headwater" });
  expect(environment).not.toHaveProperty("POSTGRES_PASSWORD_FILE");
  expect(command).toContain("-cfsync=on");
});

test("a service that is not there is named", () => {
  expect(() => readComposeService("zookeeper")).toThrow("zookeeper");
});
