import { findEnabledTest } from "@headwater/contracts";
import { type MessageTest, testsShape } from "../batchMessages/messageMembers.ts";
import { readTemplateContent } from "../frozen/templateContent.ts";
import type { TemplateMembers } from "./templates.ts";

type Contents = Pick<TemplateMembers, "draft" | "published">;

/** Returns the tests of the content that was written last. */
export function newestTests({ draft, published }: Contents): MessageTest[] {
  return testsOf(draft ?? published);
}

/** Returns the enabled test of what is published. */
export function publishedTest({ published }: Contents): MessageTest | undefined {
  return findEnabledTest(testsOf(published))?.test;
}

function testsOf(content: string | null): MessageTest[] {
  return content === null ? [] : testsShape.parse(readTemplateContent(content).tests);
}
