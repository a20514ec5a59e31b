/** Returns the path of a thread. */
export function threadPath(thread: string): string {
  return `/threads/${encodeURIComponent(thread)}`;
}

/** Returns the path of an assistant. */
export function assistantPath(assistant: string): string {
  return `/assistants/${encodeURIComponent(assistant)}`;
}
