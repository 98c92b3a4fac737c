export { isLink, readSource, SOURCE_BYTES_MAX, type SourceFile } from "./openSource.ts";
