/** Memory for values that a process that reads types may use, in MB. */
export const memoryMb = 1024;

/** Flags of Node for that process: a small young generation costs little time and saves 20 MB. */
export const readerFlags = [`--max-old-space-size=${memoryMb}`, "--max-semi-space-size=4"];
