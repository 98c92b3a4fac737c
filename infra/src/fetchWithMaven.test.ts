import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fetchWithMaven } from "./fetchWithMaven.ts";

let position: string;

beforeEach(() => {
  position = mkdtempSync(join(tmpdir(), "maven-"));
  vi.stubEnv("PATH", `${position}:${process.env.PATH}`);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(position, { recursive: true });
});

/** Puts a Maven on PATH that does this; "$out" is the output folder that it was given. */
function maven(lines: string) {
  const file = join(position, "mvn");
  writeFileSync(file, `#!/bin/sh\nfor a; do case $a in -DoutputDirectory=*) out=\${a#*=};; esac; done\n${lines}\n`);
  chmodSync(file, 0o755);
}

const wanted = () => ({ title: "Kafka (44 MB)", pom: "pom.xml", folder: join(position, "kafka"), proof: "kafka.jar" });

test("what was fetched is in the folder, and is not fetched again", async () => {
  maven('mkdir -p "$out"; echo jar > "$out/kafka.jar"');
  const said: string[] = [];
  await fetchWithMaven(wanted(), (line) => said.push(line));
  maven("exit 1");
  await fetchWithMaven(wanted(), (line) => said.push(line));
  expect(said).toEqual(["fetching Kafka (44 MB) through Maven", "fetched Kafka (44 MB)"]);
});

test("a download that broke off leaves no folder, ends with one sentence, and goes on when run again", async () => {
  maven(
    'mkdir -p "$out"; echo half > "$out/other.jar"\n' +
      'echo "[ERROR] Could not transfer artifact kafka:jar:1: Connection reset -> [Help 1]"; echo "[ERROR] more"; exit 1',
  );
  await expect(fetchWithMaven(wanted(), () => undefined)).rejects.toThrow(
    /^Kafka \(44 MB\) could not be fetched: Could not transfer artifact kafka:jar:1: Connection reset\. Run the same command again to go on where it broke off\.$/,
  );
  expect(existsSync(wanted().folder)).toBe(false);
  maven('mkdir -p "$out"; echo jar > "$out/kafka.jar"');
  await fetchWithMaven(wanted(), () => undefined);
  expect(existsSync(join(wanted().folder, "kafka.jar"))).toBe(true);
});
