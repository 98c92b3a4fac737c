export {
  countTemplates,
  deleteTemplate,
  insertTemplate,
  type ListedTemplate,
  lockTemplate,
  pageTemplates,
  readTemplate,
  type StoredTemplate,
  type TemplateMembers,
  type TemplatesPage,
  templatesOfTransport,
  updateTemplate,
} from "./templates.ts";
