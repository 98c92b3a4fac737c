import { createSourceReader } from "@headwater/worker";

/** Processes that read what jobs of a test file are given. They start with the first file, and end with the test. */
export const sources = createSourceReader();
