export function threadPath(thread: string): string {
  return `/threads/${encodeURIComponent(thread)}`;
}

export function assistantPath(assistant: string): string {
  return `/assistants/${encodeURIComponent(assistant)}`;
}
