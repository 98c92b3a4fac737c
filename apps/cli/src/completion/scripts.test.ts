import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { scriptFor } from "./scripts.ts";

const nodes = [
  { path: "", commands: [{ word: "orders", about: "" }], options: ["--json"] },
  { path: "orders", commands: [{ word: "get", about: "" }], options: ["--json"] },
  { path: "orders get", commands: [], options: ["--after", "--fields"] },
];

/** Returns bash's suggestions for a line whose last word is under the cursor. */
function offered(line: string): string[] {
  const words = line.split(" ").map((word) => `'${word}'`);
  const ask = `COMP_WORDS=(${words.join(" ")}); COMP_CWORD=${words.length - 1}; _headwater; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const out = execFileSync("bash", ["-c", `${scriptFor("bash", nodes)}\n${ask}`], { encoding: "utf8" });
  return out.split("\n").filter((word) => word !== "");
}

test("bash offers the words of the command that was typed, past its options and arguments", () => {
  expect(offered("headwater o")).toEqual(["orders"]);
  expect(offered("headwater --json orders g")).toEqual(["get"]);
  expect(offered("headwater orders get 536365 --a")).toEqual(["--after"]);
  expect(offered("headwater orders get orders get --fie")).toEqual(["--fields"]);
});
