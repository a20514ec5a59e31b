/**
 * Returns the section of a version in a changelog in the format of Keep a Changelog, without its heading.
 * @throws Error if the section is missing or empty
 */
export function releaseNotes(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.startsWith(`[${version}] - `));
  const notes = section?.slice(section.indexOf("\n")).trim();
  if (notes) return `${notes}\n`;
  throw new Error(
    `CHANGELOG.md has no section "## [${version}] - <date>", or it is empty. Rename the section "Unreleased", commit the change, and tag the new commit.`,
  );
}
