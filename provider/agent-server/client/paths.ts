/** Path of a thread. */
export function threadPath(thread: string): string {
  return `/threads/${encodeURIComponent(thread)}`;
}

/** Path of an assistant. */
export function assistantPath(assistant: string): string {
  return `/assistants/${encodeURIComponent(assistant)}`;
}
