import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { registryFolder, registryVersion } from "../../bootstrap/versions.mjs";
import { classArchive, classArguments } from "../../src/classArchive.ts";
import type { ServiceDefinition } from "../../src/definition.ts";
import { bareEnvironment, javaCommand, QUICK_START } from "../../src/environment.ts";
import { fetchWithMaven } from "../../src/fetchWithMaven.ts";
import { answersOk } from "../../src/http.ts";

const POM = fileURLToPath(new URL("pom.xml", import.meta.url));
const RUNNER = `apicurio-registry-app-${registryVersion}-runner.jar`;
const WANTED = { title: `the Apicurio schema registry ${registryVersion} (109 MB)`, pom: POM, proof: RUNNER };
/** Processes ask it for a schema once. */
const MACHINE = ["-Xmx256m", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError", "-XX:-UsePerfData", QUICK_START];

export interface RegistryOptions {
  readonly cache: string;
  readonly port: number;
  /** File to which its classes are written when it ends, for the starts to come. */
  readonly classesTo?: string | undefined;
}

/** The file in which the starts to come search for its classes. */
export function registryArchive(cache: string): string {
  return classArchive(join(cache, registryFolder));
}

/** The base address of the registry's Confluent interface, as clients want it. */
export function registryUrl(port: number): string {
  return `http://127.0.0.1:${port}/apis/ccompat/v7`;
}

/** The Apicurio registry, its schemas in a file of its own. */
export function defineRegistry({ cache, port, classesTo }: RegistryOptions): ServiceDefinition {
  const folderOfJars = join(cache, registryFolder);
  return {
    name: "registry",
    dataVersion: async () => "Apicurio 3.0",
    fetch: (onProgress, signal) => fetchWithMaven({ ...WANTED, folder: folderOfJars }, onProgress, signal),
    prepare: async (folder) => {
      await mkdir(join(folder, "db"), { recursive: true });
    },
    launch: async (folder) => ({
      command: javaCommand(),
      args: [...MACHINE, ...classArguments(folderOfJars, classesTo), "-jar", join(folderOfJars, RUNNER)],
      env: { ...bareEnvironment(), ...settings(folder, port) },
      cwd: folder,
    }),
    isReady: (signal) => answersOk(`${registryUrl(port)}/subjects`, signal),
  };
}

/** WRITE_DELAY=0: else H2 keeps what it acknowledged for half a second in memory, and kill -9 loses a schema. */
function settings(folder: string, port: number): Record<string, string> {
  return {
    APICURIO_STORAGE_KIND: "sql",
    APICURIO_STORAGE_SQL_KIND: "h2",
    APICURIO_DATASOURCE_URL: `jdbc:h2:file:${join(folder, "db", "registry")};WRITE_DELAY=0`,
    QUARKUS_HTTP_HOST: "127.0.0.1",
    QUARKUS_HTTP_PORT: String(port),
    QUARKUS_LOG_LEVEL: "WARN",
  };
}
