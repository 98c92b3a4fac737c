import { expect, test } from "vitest";
import { checkDiskSpace } from "./disk.mjs";

const MB = 1_000_000;
const withFree = (bytes: number) => ({ statfs: () => ({ bavail: bytes / 1_000, bsize: 1_000 }) });

test("enough free space passes", () => {
  expect(() => checkDiskSpace([{ folder: "/", bytes: 10 * MB, use: "the data" }], withFree(10 * MB))).not.toThrow();
});

test("too little disk ends with one sentence that says how much is needed, where, for what, and how much there is", () => {
  const needs = [{ folder: "/not/there/yet", bytes: 1_500 * MB, use: "the data" }];
  expect(() => checkDiskSpace(needs, withFree(12 * MB))).toThrow(
    "1,500 MB are needed under / for the data and 12 MB are free: ",
  );
});

test("what goes to one file system is added up, what goes to two is not", () => {
  const needs = [
    { folder: "/", bytes: 6 * MB, use: "the packages" },
    { folder: "/tmp", bytes: 6 * MB, use: "the data" },
  ];
  const disk = withFree(10 * MB);
  expect(() => checkDiskSpace(needs, { ...disk, deviceOf: () => 1 })).toThrow(
    "12 MB are needed under / for the packages, the data",
  );
  expect(() => checkDiskSpace(needs, { ...disk, deviceOf: (folder) => folder.length })).not.toThrow();
});

test("nothing needed asks no file system", () => {
  expect(() => checkDiskSpace([{ folder: "/", bytes: 0, use: "nothing" }], withFree(0))).not.toThrow();
});
