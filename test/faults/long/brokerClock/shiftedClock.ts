import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const SOURCE = fileURLToPath(new URL("SystemTime.java", import.meta.url));

/** A Java whose brokers go by a clock that a test sets, and everything else by the machine's. */
export interface ShiftedClock {
  /** Value of JAVA_HOME. */
  readonly javaHome: string;
  /** Puts brokers' clocks ahead of the machine's. */
  setAhead(ms: number): void;
}

/**
 * Compiles a class that takes the place of Kafka's own clock; needs a JDK.
 * @throws Error where there is no `javac` next to `java`, which is the one of JAVA_HOME or on PATH.
 */
export function createShiftedClock(folder: string): ShiftedClock {
  const { JAVA_HOME } = process.env;
  const java = JAVA_HOME ? join(JAVA_HOME, "bin", "java") : "java";
  const [bin, classes, file] = [join(folder, "bin"), join(folder, "classes"), join(folder, "ahead")];
  rmSync(folder, { recursive: true, force: true });
  for (const one of [bin, classes]) mkdirSync(one, { recursive: true });
  const setAhead = (ms: number) => {
    writeFileSync(`${file}.new`, String(ms));
    renameSync(`${file}.new`, file);
  };
  setAhead(0);
  const script = join(bin, "java");
  writeFileSync(script, scriptOf({ java, javac: javacOf(java), classes, file }));
  chmodSync(script, 0o755);
  return { javaHome: folder, setAhead };
}

function javacOf(java: string): string {
  const beside = join(dirname(java), "javac");
  const javac = java.includes("/") && existsSync(beside) ? beside : "javac";
  try {
    execFileSync(javac, ["-version"], { stdio: "ignore" });
  } catch {
    throw new Error("This test compiles a class: install a JDK (17 or later), or set JAVA_HOME to one.");
  }
  return javac;
}

/** Puts our classes before the broker's jars, against which they are compiled when it starts for the first time. */
function scriptOf(parts: { readonly [name in "java" | "javac" | "classes" | "file"]: string }): string {
  const { java, javac, classes, file } = parts;
  return `#!/bin/sh
set -e
case " $* " in *" kafka.Kafka "*) ;; *) exec '${java}' "$@" ;; esac
before=
for argument do
  shift
  if [ "$before" = "-cp" ]; then
    [ -e '${classes}/org' ] || '${javac}' -cp "$argument" -d '${classes}' '${SOURCE}'
    argument='${classes}':$argument
  fi
  before=$argument
  set -- "$@" "$argument"
done
exec '${java}' '-Dheadwater.clock=${file}' "$@"
`;
}
