import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "./failure.mjs";
import { say } from "./say.mjs";

const JAVA_MAJOR_MIN = 17;

/**
 * Machine that the check touches, so that a test can stand in for one.
 * @typedef {object} Machine
 * @property {NodeJS.ProcessEnv} env
 * @property {string} system process.platform
 * @property {boolean} isRoot
 * @property {(command: string, args: readonly string[], options?: {isShown?: boolean}) => {ok: boolean, output: string}} run
 *   `ok` is false when the command is not there or ends with another code than 0; `isShown` lets its output through
 * @property {(line: string) => void} say
 */

/**
 * Sees to Java 17 and (when something is to be fetched) Maven. As root on a Debian-like system it installs what is missing,
 * unless HEADWATER_NO_INSTALL=1; elsewhere a Failure says the line to type.
 * @param {{needsMaven: boolean}} wanted
 * @param {Machine} machine
 */
export function ensureJava(wanted, machine = thisMachine()) {
  const missing = findMissing(wanted, machine);
  if (missing.length === 0) return;
  const canInstall =
    machine.isRoot && machine.env.HEADWATER_NO_INSTALL !== "1" && machine.run("apt-get", ["--version"]).ok;
  if (!canInstall) throw new Failure(sentenceOf(missing, machine));
  install(missing, machine);
  if (findMissing(wanted, machine).length > 0) throw new Failure(sentenceOf(missing, machine));
}

/** @returns {Machine} */
export function thisMachine() {
  return {
    env: process.env,
    system: process.platform,
    isRoot: process.getuid?.() === 0,
    run: (command, args, { isShown = false } = {}) => {
      const stdio = isShown ? /** @type {const} */ (["ignore", "inherit", "inherit"]) : undefined;
      const ended = spawnSync(command, [...args], { encoding: "utf8", ...(stdio === undefined ? {} : { stdio }) });
      return { ok: ended.status === 0, output: `${ended.stdout ?? ""}${ended.stderr ?? ""}` };
    },
    say,
  };
}

/**
 * @param {{needsMaven: boolean}} wanted
 * @param {Machine} machine
 * @returns {("java" | "maven")[]}
 */
function findMissing({ needsMaven }, { env, run }) {
  const ofHome = env.JAVA_HOME ? join(env.JAVA_HOME, "bin", "java") : "";
  const java = run(ofHome !== "" && existsSync(ofHome) ? ofHome : "java", ["-version"]);
  const hasJava = java.ok && majorOf(java.output) >= JAVA_MAJOR_MIN;
  const hasMaven = !needsMaven || run("mvn", ["--version"]).ok;
  return [...(hasJava ? [] : [/** @type {const} */ ("java")]), ...(hasMaven ? [] : [/** @type {const} */ ("maven")])];
}

/** Returns the major version in `openjdk version "17.0.15"`; 8 calls itself 1.8. @param {string} output */
function majorOf(output) {
  const [first, second] = (output.match(/version "([\d.]+)/)?.[1] ?? "0").split(".").map(Number);
  return first === 1 ? (second ?? 0) : (first ?? 0);
}

/** @param {readonly ("java" | "maven")[]} missing @param {Machine} machine */
function install(missing, { run, say: report }) {
  report(`installing ${missing.join(" and ")} by apt-get (HEADWATER_NO_INSTALL=1 keeps me from it)`);
  run("apt-get", ["update", "-qq"], { isShown: true });
  // Newer releases of Debian and Ubuntu have a later Java only.
  const hasJava17 = run("apt-cache", ["show", "openjdk-17-jre-headless"]).ok;
  const packages = missing.map((name) =>
    name === "maven" ? "maven" : hasJava17 ? "openjdk-17-jre-headless" : "default-jre-headless",
  );
  run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...packages], { isShown: true });
}

/** @param {readonly ("java" | "maven")[]} missing @param {Machine} machine */
function sentenceOf(missing, machine) {
  const names = { java: "Java 17 or later (java)", maven: "Maven (mvn)" };
  const what = missing.map((name) => names[name]).join(" and ");
  return (
    `${what} ${missing.length > 1 ? "are" : "is"} needed for Kafka and the schema registry and not on PATH: ` +
    `type  ${lineToType(machine)}  or give KAFKA_BROKERS and SCHEMA_REGISTRY_URL.`
  );
}

/** @param {Machine} machine */
function lineToType({ system, isRoot, run }) {
  const sudo = isRoot ? "" : "sudo ";
  if (system === "darwin") return "brew install openjdk@17 maven";
  if (run("apt-get", ["--version"]).ok) return `${sudo}apt-get install openjdk-17-jre-headless maven`;
  if (run("dnf", ["--version"]).ok) return `${sudo}dnf install java-21-openjdk-headless maven`;
  if (run("pacman", ["--version"]).ok) return `${sudo}pacman -S jre-openjdk-headless maven`;
  if (run("zypper", ["--version"]).ok) return `${sudo}zypper install java-21-openjdk-headless maven`;
  return "the install command of your system for a Java 17 runtime and Maven";
}
