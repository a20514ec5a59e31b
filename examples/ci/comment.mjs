// Adds a report to the pull or merge request as a comment, or updates the existing comment.
//
//   node comment.mjs review.md
//
// On GitHub, set GITHUB_TOKEN and PULL_REQUEST. GitHub sets GITHUB_REPOSITORY and GITHUB_API_URL. If GITHUB_TOKEN is
// not the token of the workflow, set COMMENT_AUTHOR to the name of the user who owns the token.
// On GitLab, set GITLAB_TOKEN. GitLab sets CI_API_V4_URL, CI_PROJECT_ID, and CI_MERGE_REQUEST_IID.
import { readFile } from "node:fs/promises";

const body = await readFile(process.argv[2] ?? "review.md", "utf8");
const [mark] = body.split("\n", 1);
if (!mark.startsWith("<!-- agentserver review "))
  throw new Error("The file is not a report of `agentserver review`.");

if (!process.env.GITLAB_TOKEN && !process.env.GITHUB_TOKEN)
  throw new Error("Comments require a token: set GITHUB_TOKEN or GITLAB_TOKEN.");
const service = process.env.GITLAB_TOKEN ? gitlab(process.env) : github(process.env);
const before = await findComment();
if (before) await send(service.change.method, service.change.url(before.id), { body });
else await send("POST", service.list, { body });
console.log(before ? "Updated the comment." : "Created a comment.");

function github({
  GITHUB_API_URL = "https://api.github.com",
  GITHUB_REPOSITORY,
  PULL_REQUEST,
  GITHUB_TOKEN,
  COMMENT_AUTHOR = "github-actions[bot]",
}) {
  const repository = `${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}/issues`;
  return {
    headers: { Authorization: `Bearer ${GITHUB_TOKEN}`, Accept: "application/vnd.github+json" },
    list: `${repository}/${PULL_REQUEST}/comments`,
    change: { method: "PATCH", url: (id) => `${repository}/comments/${id}` },
    // The token of the workflow cannot query its own user.
    author: async () => (comment) => comment.user?.login === COMMENT_AUTHOR,
  };
}

function gitlab({ CI_API_V4_URL, CI_PROJECT_ID, CI_MERGE_REQUEST_IID, GITLAB_TOKEN }) {
  const notes = `${CI_API_V4_URL}/projects/${CI_PROJECT_ID}/merge_requests/${CI_MERGE_REQUEST_IID}/notes`;
  return {
    headers: { "PRIVATE-TOKEN": GITLAB_TOKEN },
    list: notes,
    change: { method: "PUT", url: (id) => `${notes}/${id}` },
    author: async () => {
      const { id } = await send("GET", `${CI_API_V4_URL}/user`);
      return (comment) => comment.author?.id === id;
    },
  };
}

/** Finds the existing comment. Other users can write comments that start like a report, so the author is checked. */
async function findComment() {
  const isOwn = await service.author();
  for (let page = 1; ; page += 1) {
    const comments = await send("GET", `${service.list}?per_page=100&page=${page}`);
    const found = comments.find((comment) => comment.body?.startsWith(mark) && isOwn(comment));
    if (found || comments.length < 100) return found;
  }
}

async function send(method, url, content) {
  const answer = await fetch(url, {
    method,
    headers: { ...service.headers, "Content-Type": "application/json" },
    ...(content && { body: JSON.stringify(content) }),
  });
  if (!answer.ok) throw new Error(`${method} ${new URL(url).pathname} returned ${answer.status}`);
  return answer.json();
}
