export {
  noteTemplateChild,
  readTemplateChildren,
  type TemplateChild,
} from "./templateChildren.ts";
export {
  countTemplates,
  deleteTemplate,
  insertTemplate,
  type ListedTemplate,
  lockTemplate,
  pageTemplates,
  readTemplate,
  readTemplatesById,
  type StoredTemplate,
  type TemplateFacts,
  type TemplateMembers,
  type TemplatesPage,
  templatesOfTransport,
  updateTemplate,
} from "./templates.ts";
