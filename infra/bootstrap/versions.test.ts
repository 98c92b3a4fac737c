import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  greenmailVersion,
  kafkaVersion,
  log4jVersion,
  registryVersion,
  s3proxyVersion,
  sshdVersion,
} from "./versions.mjs";

const pom = (name: string) => readFileSync(new URL(`../embedded/${name}/pom.xml`, import.meta.url), "utf8");

test("the poms pin the versions that the code looks for", () => {
  expect(pom("kafka")).toContain(`<artifactId>kafka_2.13</artifactId>\n      <version>${kafkaVersion}</version>`);
  expect(pom("kafka")).toContain(`<artifactId>log4j-slf4j-impl</artifactId>\n      <version>${log4jVersion}</version>`);
  expect(pom("s3proxy")).toContain(`<artifactId>s3proxy</artifactId>\n      <version>${s3proxyVersion}</version>`);
  expect(pom("sshd")).toContain(`<artifactId>sshd-cli</artifactId>\n      <version>${sshdVersion}</version>`);
  const greenmail = `<artifactId>greenmail-standalone</artifactId>\n      <version>${greenmailVersion}</version>`;
  expect(pom("greenmail")).toContain(greenmail);
  expect(pom("registry")).toMatch(
    new RegExp(`apicurio-registry-app</artifactId>\\s*<version>${registryVersion}</version>`),
  );
});
