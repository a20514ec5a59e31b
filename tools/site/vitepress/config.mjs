// Configuration of VitePress. tools/site/site.ts copies it next to the pages, with data.json.
import GithubSlugger from "github-slugger";
import { defineConfig } from "vitepress";
import data from "./data.json";

export default defineConfig({
  title: "pulumi-agentserver",
  description: "Pulumi provider for LangGraph agent server deployments",
  lang: "en-US",
  head: [["link", { rel: "icon", type: "image/svg+xml", href: "logo.svg" }]],
  markdown: {
    // The default light theme does not have enough contrast.
    theme: { light: "github-light-high-contrast", dark: "github-dark" },
    // Anchors are the same as on GitHub.
    anchor: { slugify: (heading) => GithubSlugger.slug(heading) },
  },
  themeConfig: {
    logo: "/logo.svg",
    nav: data.nav,
    sidebar: data.sidebar,
    outline: { level: [2, 3] },
    search: { provider: "local", options: { detailedView: true } },
    socialLinks: [{ icon: "github", link: data.repositoryUrl }],
  },
});
