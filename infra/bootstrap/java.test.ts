import { expect, test } from "vitest";
import { ensureJava, type Machine } from "./java.mjs";

const JAVA_17 = 'openjdk version "17.0.15" 2025-04-15';

/** A machine on which the named commands are there; it keeps what was run and said. */
function machineWith(commands: Record<string, string>, differences: Partial<Machine> = {}) {
  const ran: string[] = [];
  const said: string[] = [];
  const machine: Machine = {
    env: {},
    system: "linux",
    isRoot: false,
    run: (command, args) => {
      ran.push([command, ...args].join(" "));
      const output = commands[command];
      if (command === "apt-get" && args[0] === "install" && output !== undefined) {
        if (args.some((arg) => arg.includes("jre"))) commands.java = JAVA_17;
        if (args.includes("maven")) commands.mvn = "Apache Maven 3.8.7";
      }
      return { ok: output !== undefined, output: output ?? "" };
    },
    say: (line) => said.push(line),
    ...differences,
  };
  return { machine, ran, said };
}

test("Java 17 and Maven on PATH are enough", () => {
  const { machine } = machineWith({ java: JAVA_17, mvn: "Apache Maven 3.8.7" });
  expect(() => ensureJava({ needsMaven: true }, machine)).not.toThrow();
});

test("Maven is asked for only when something is to be fetched", () => {
  const { machine } = machineWith({ java: 'java version "21" 2023-09-19' });
  expect(() => ensureJava({ needsMaven: false }, machine)).not.toThrow();
  expect(() => ensureJava({ needsMaven: true }, machine)).toThrow("Maven (mvn) is needed for Kafka");
});

test.each(['java version "1.8.0_402"', 'openjdk version "11.0.22" 2024-01-16'])("%s is too old", (output) => {
  const { machine } = machineWith({ java: output, mvn: "" });
  expect(() => ensureJava({ needsMaven: true }, machine)).toThrow("Java 17 or later (java) is needed for Kafka");
});

test.each([
  ["apt-get", {}, "sudo apt-get install openjdk-17-jre-headless maven"],
  ["dnf", {}, "sudo dnf install java-21-openjdk-headless maven"],
  ["dnf", { isRoot: true }, "type  dnf install java-21-openjdk-headless maven"],
  ["brew", { system: "darwin" }, "brew install openjdk@17 maven"],
])("a system without Java, with %s %o, shows its one line to type", (command, differences, line) => {
  const { machine } = machineWith({ [command]: "" }, differences);
  expect(() => ensureJava({ needsMaven: true }, machine)).toThrow(line);
});

test("root on a Debian-like system sees what is missing, and it is installed", () => {
  const { machine, ran, said } = machineWith({ "apt-get": "", "apt-cache": "", mvn: "" }, { isRoot: true });
  ensureJava({ needsMaven: true }, machine);
  expect(said).toEqual(["installing java by apt-get (HEADWATER_NO_INSTALL=1 keeps me from it)"]);
  expect(ran).toContain("apt-get install -y -qq --no-install-recommends openjdk-17-jre-headless");
});

test("the system's own Java is used where there is no Java 17 to install", () => {
  const { machine, ran } = machineWith({ "apt-get": "" }, { isRoot: true });
  ensureJava({ needsMaven: true }, machine);
  expect(ran).toContain("apt-get install -y -qq --no-install-recommends default-jre-headless maven");
});

test("HEADWATER_NO_INSTALL=1 installs nothing, root or not", () => {
  const { machine, ran } = machineWith({ "apt-get": "" }, { isRoot: true, env: { HEADWATER_NO_INSTALL: "1" } });
  expect(() => ensureJava({ needsMaven: true }, machine)).toThrow(
    "type  apt-get install openjdk-17-jre-headless maven  or give KAFKA_BROKERS",
  );
  expect(ran.filter((line) => line.startsWith("apt-get install"))).toEqual([]);
});
