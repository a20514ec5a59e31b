import { createProgram } from "../../../cli/program";
import { errorSections } from "./errors";
import { escapeText, nameOf, propertyTable, typeSections } from "./members";
import { policySections } from "./policies";
import { shortName, type PackageSchema, type SchemaFunction, type SchemaResource } from "./schema";

/** Generated page of the site. */
export interface GeneratedPage {
  title: string;
  /** Path of the page from the root of the site. */
  route: string;
  /** Text in Markdown, with links to other pages. */
  text: string;
}

/** Group of generated pages in the navigation. */
export interface GeneratedGroup {
  title: string;
  pages: GeneratedPage[];
}

/** Element that the theme fills with the available languages. */
const languages = '<div class="switch-language"></div>';

/** Returns the pages that describe the package schema and the commands. */
export function referencePages(schema: PackageSchema): GeneratedGroup[] {
  const resources = Object.entries(schema.resources);
  const pagesOf = (isComponent: boolean) =>
    resources
      .filter(([, resource]) => Boolean(resource.isComponent) === isComponent)
      .map(([token, resource]) => resourcePage(schema, token, resource));
  return [
    { title: "Resources", pages: pagesOf(false) },
    { title: "Components", pages: pagesOf(true) },
    {
      title: "Functions",
      pages: Object.entries(schema.functions).map(([token, one]) => functionPage(schema, token, one)),
    },
    {
      title: "Settings, commands, policies, and errors",
      pages: [settingsPage(schema), commandsPage(), policiesPage(), errorsPage()],
    },
  ];
}

/** Returns the page that lists all generated pages. */
export function indexPage(groups: GeneratedGroup[]): GeneratedPage {
  const lists = groups.flatMap(({ title, pages }) => [
    `## ${title}`,
    pages.map((one) => `- [${one.title}](../${one.route})`).join("\n"),
  ]);
  return page("API reference", "index", [
    "Generated from the schema of the package and from the code. TypeScript and YAML use the names of the schema, and " +
      "Python uses snake case. The examples in TypeScript import the SDK of the [provider plugin](../plugin.md); with " +
      "`pulumi-agentserver`, resources, components, and inputs have the same names, and enums are strings.",
    ...lists,
  ]);
}

function resourcePage(schema: PackageSchema, token: string, resource: SchemaResource): GeneratedPage {
  const { inputProperties = {}, requiredInputs, properties = {} } = resource;
  const outputs = Object.fromEntries(
    Object.entries(properties).filter(([name]) => !(name in inputProperties)),
  );
  const title = shortName(token);
  return page(title, title.toLowerCase(), [
    languages,
    ...description(resource.description),
    "## Inputs",
    propertyTable(inputProperties, requiredInputs),
    "## Outputs",
    resource.isComponent
      ? ""
      : `Resources also have their inputs as outputs, and ${nameOf("id")}, which Pulumi adds.`,
    propertyTable(resource.isComponent ? properties : outputs),
    ...types(schema, [inputProperties, properties]),
  ]);
}

function functionPage(schema: PackageSchema, token: string, one: SchemaFunction): GeneratedPage {
  const title = shortName(token);
  const inputs = one.inputs?.properties ?? {};
  const outputs = one.outputs?.properties ?? {};
  return page(title, title.toLowerCase(), [
    languages,
    `Name: ${nameOf(title)}`,
    ...description(one.description),
    "## Arguments",
    propertyTable(inputs, one.inputs?.required),
    "## Result",
    propertyTable(outputs),
    ...types(schema, [inputs, outputs]),
  ]);
}

function types(schema: PackageSchema, properties: Parameters<typeof typeSections>[1]): string[] {
  const sections = typeSections(schema, properties, "###");
  return sections === "" ? [] : ["## Types", sections];
}

/** Converts a description in the schema. Its examples are between markers of the Pulumi Registry. */
function description(text = ""): string[] {
  const [summary = "", examples] = text.split("{{% examples %}}");
  const paragraphs = [escapeText(summary.trim())];
  if (examples === undefined) return paragraphs;
  const blocks = examples
    .replace(/\{\{%.*?%\}\}/g, "")
    .replace("## Example Usage", "## Example")
    .replaceAll("```typescript", "```ts");
  return [...paragraphs, blocks.trim()];
}

function settingsPage({ config }: PackageSchema): GeneratedPage {
  return page("All settings", "settings", [
    languages,
    "Settings of the provider. In the configuration of a stack, they have the prefix `agentserver:`; an explicit " +
      "provider takes them as arguments. [Configuration](../configuration.md) describes connections in detail.",
    propertyTable(config.variables),
  ]);
}

function commandsPage(): GeneratedPage {
  const program = createProgram("");
  const commands = program.createHelp().visibleCommands(program);
  const sections = [program, ...commands.filter((command) => command.name() !== "help")].map((command) => {
    let help = "";
    command.configureOutput({ writeOut: (text) => (help += text), getOutHelpWidth: () => 100 });
    command.outputHelp();
    const name = command === program ? program.name() : `${program.name()} ${command.name()}`;
    return `## \`${name}\`\n\n\`\`\`text\n${help.trimEnd()}\n\`\`\``;
  });
  return page("All commands", "commands", [
    "Help of each command. [The `agentserver` command](../cli.md) describes them in detail.",
    ...sections,
  ]);
}

function policiesPage(): GeneratedPage {
  return page("All policies", "policies", [
    "Policies of the policy pack, which apply to programs in all languages, and their settings in the JSON file of " +
      "`--policy-pack-config`. [Policies](../policies.md) describes the pack. The `enforcementLevel` setting overrides " +
      "the default level.",
    ...policySections(),
  ]);
}

function errorsPage(): GeneratedPage {
  return page("All error codes", "errors", [
    "Codes of `AgentServerError`, whose meaning never changes between releases, and its details. In programs in other " +
      "languages, the code is at the start of the message of the provider. [Errors](../errors.md) describes how to " +
      "respond to each code.",
    ...errorSections(),
  ]);
}

function page(title: string, name: string, parts: string[]): GeneratedPage {
  const text = [`# ${title}`, ...parts.filter((part) => part !== "")].join("\n\n");
  return { title, route: `reference/${name}.md`, text: `${text}\n` };
}
