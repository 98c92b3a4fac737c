import { errorStatuses, lossCodes, skipCodes, warningCodes } from "@headwater/contracts";
import { describe, expect, test } from "vitest";
import { read } from "./repository.ts";

const page = read("docs/errors.md");

/** First cells of the table whose head begins with `head`, with the second cell. */
function rowsOf(head: string): [string, string][] {
  const begin = page.search(new RegExp(`^\\| ${head} +\\|`, "m"));
  const table = begin < 0 ? "" : (page.slice(begin).split("\n\n")[0] ?? "");
  const rows = [...table.matchAll(/^\| `([A-Z_]+)` +\| ([^|]+?) +\|/gm)];
  return rows.map(([, code = "", second = ""]) => [code, second]);
}

describe("docs/errors.md", () => {
  test("names every code with its status, and no other", () => {
    const documented = Object.fromEntries(rowsOf("Code").map(([code, status]) => [code, Number(status)]));
    expect(documented).toEqual(errorStatuses);
  });

  test("names every skip, loss and warning, and no other", () => {
    expect(rowsOf("Skip").map(([code]) => code)).toEqual([...skipCodes]);
    expect(rowsOf("Loss").map(([code]) => code)).toEqual([...lossCodes]);
    expect(rowsOf("Warning").map(([code]) => code)).toEqual([...warningCodes]);
  });
});
