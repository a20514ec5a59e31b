/**
 * The section of a version in a changelog of the form of Keep a Changelog, without its heading.
 * @throws Error when there is none, or nothing in it
 */
export function releaseNotes(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.startsWith(`[${version}] - `));
  const notes = section?.slice(section.indexOf("\n")).trim();
  if (notes) return `${notes}\n`;
  throw new Error(
    `CHANGELOG.md has no section "## [${version}] - <date>" with anything in it. Turn "Unreleased" into it, commit that, and tag the new commit.`,
  );
}
