import { expect, test } from "vitest";
import { checkPlatform } from "./platform.mjs";

const linux = { system: "linux", architecture: "x64", isMusl: false, nodeVersion: "20.11.0" };

test("Linux with glibc and macOS, on both architectures, from Node 20 on, are fine", () => {
  for (const system of ["linux", "darwin"]) {
    for (const architecture of ["x64", "arm64"]) {
      expect(() => checkPlatform({ ...linux, system, architecture })).not.toThrow();
    }
  }
});

test.each([
  [{ system: "win32" }, "Linux with glibc and on macOS, each x64 or arm64, and this is win32 x64: "],
  [{ architecture: "riscv64" }, "this is linux riscv64: "],
  [{ isMusl: true }, "this is linux x64 with musl: "],
  [{ nodeVersion: "18.19.0" }, "this is Node 18.19.0 and Headwater starts from Node 20 on: "],
])("an unknown platform ends with one sentence that names it: %o", (difference, sentence) => {
  expect(() => checkPlatform({ ...linux, ...difference })).toThrow(sentence);
});
