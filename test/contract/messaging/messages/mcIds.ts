/** `mcID`s and what they say. The columns of ClickHouse are held against the same ones. */
export const mcIdVectors: readonly (readonly [string, object | undefined])[] = [
  ["acc:m1:b:c1:1", { account: "acc", message: "m1", type: "b", contact: "c1", n: "1" }],
  ["acc:m3:d260131:a:c1:17", { account: "acc", message: "m3", period: "d260131", type: "a", contact: "c1", n: "17" }],
  ["acc:m3:h26013109:o:c1:2", { account: "acc", message: "m3", period: "h26013109", type: "o", contact: "c1", n: "2" }],
  ["acc:news:may:b:c1:1", { account: "acc", message: "news:may", type: "b", contact: "c1", n: "1" }],
  [
    "acc:a:b:c:d260131:a:c1:1",
    { account: "acc", message: "a:b:c", period: "d260131", type: "a", contact: "c1", n: "1" },
  ],
  ["acc:d260131:a:c1:1", { account: "acc", message: "d260131", type: "a", contact: "c1", n: "1" }],
  ["acc:m1:d26013:a:c1:1", { account: "acc", message: "m1:d26013", type: "a", contact: "c1", n: "1" }],
  ["acc:m1:d260131:x:a:c1:1", { account: "acc", message: "m1:d260131:x", type: "a", contact: "c1", n: "1" }],
  ["acc:é 漢:b:c1:1", { account: "acc", message: "é 漢", type: "b", contact: "c1", n: "1" }],
  ["acc:two\nlines:b:c1:1", { account: "acc", message: "two\nlines", type: "b", contact: "c1", n: "1" }],
  ["acc:m1:t:c1:1", { account: "acc", message: "m1", type: "t", contact: "c1", n: "1" }],
  ["acc:m1:batch:1:1", { account: "acc", message: "m1", type: "batch", contact: "1", n: "1" }],
  ["acc::x:b:c1:1", { account: "acc", message: ":x", type: "b", contact: "c1", n: "1" }],
  ["acc::b:c1:1", undefined],
  [":m1:b:c1:1", undefined],
  ["acc:m1:b:c1:", undefined],
  ["acc:m1:b::1", undefined],
  ["acc:m1::c1:1", undefined],
  ["acc:m1:b:c1", undefined],
  ["m7", undefined],
  ["", undefined],
];

/** Ids of messages and of their children. */
export const messageIdVectors: readonly (readonly [string, object | undefined])[] = [
  ["m7", { message: "m7" }],
  ["m7:d260131", { message: "m7", period: "d260131" }],
  ["m7:h26013109", { message: "m7", period: "h26013109" }],
  ["a:b", { message: "a:b" }],
  ["a:b:d260131", { message: "a:b", period: "d260131" }],
  ["d260131", { message: "d260131" }],
  [":d260131", { message: ":d260131" }],
  ["", undefined],
];
