import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, extname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const LEFT_OUT = new Set(["node_modules", ".git", ".headwater", ".headwater-test", ".turbo", "coverage"]);
const SOURCE = new Set([".ts", ".mjs"]);
const TEXT = new Set([...SOURCE, ".json", ".md", ".sql", ".sh", ".yaml", ".yml", ".xml", ".html", ".css"]);

export interface ProjectFile {
  /** Relative to the root, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** All text files of the project but the lock file, sorted by path. */
export function textFiles(): ProjectFile[] {
  return paths()
    .filter((path) => TEXT.has(extname(path)) && path !== "package-lock.json")
    .map((path) => ({ path, text: read(path) }));
}

/** All code, tests included. */
export function codeFiles(): ProjectFile[] {
  return textFiles().filter((file) => SOURCE.has(extname(file.path)));
}

/** The code that is shipped or starts what is shipped: no tests, no test doubles, no tools' configuration. */
export function shippedFiles(): ProjectFile[] {
  const inside = /^(packages\/(?!testing\/)|apps\/|infra\/)/;
  return codeFiles().filter((file) => inside.test(file.path) && !file.path.endsWith(".test.ts"));
}

export function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

const manifestSchema = z.looseObject({
  name: z.string(),
  dependencies: z.record(z.string(), z.string()).optional(),
  devDependencies: z.record(z.string(), z.string()).optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
  peerDependencies: z.record(z.string(), z.string()).optional(),
});

export interface Workspace {
  readonly folder: string;
  readonly manifest: z.output<typeof manifestSchema>;
}

/** Every workspace, and the root as folder ".". */
export function workspaces(): Workspace[] {
  const members = ["packages", "apps"].flatMap((parent) =>
    readdirSync(join(ROOT, parent)).map((name) => `${parent}/${name}`),
  );
  return [".", "infra", ...members]
    .filter((folder) => existsSync(join(ROOT, folder, "package.json")))
    .map((folder) => ({ folder, manifest: manifestSchema.parse(JSON.parse(read(`${folder}/package.json`))) }));
}

/** The report over all modules is some megabytes long. */
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/** Limit of a tool's run: Biome, which takes ten to twenty seconds, did not end within 50 on two cores under a load of 20. */
const TOOL_MS_MAX = 180_000;

/** Runs a tool of node_modules/.bin to its end. */
export function run(tool: string, args: readonly string[], cwd: string = ROOT) {
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: "1", NO_COLOR: "1", FORCE_COLOR: undefined };
  const ended = spawnSync(join(ROOT, "node_modules/.bin", tool), args, {
    cwd,
    env,
    encoding: "utf8",
    timeout: TOOL_MS_MAX,
    maxBuffer: OUTPUT_BYTES_MAX,
  });
  return { status: ended.status, stdout: ended.stdout, output: `${ended.stdout}${ended.stderr}` };
}

/** A folder outside the project with the given files, removed after use, for deliberate mistakes. */
export function plant(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), "architecture-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

function paths(): string[] {
  return walk(ROOT)
    .map((path) => relative(ROOT, path).replaceAll("\\", "/"))
    .sort();
}

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !LEFT_OUT.has(entry.name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? walk(path) : [path];
    });
}
