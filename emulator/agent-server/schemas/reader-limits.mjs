/** Memory limit of a process that reads types, in MB. */
export const memoryMb = 1024;

/** Node.js flags for a process that reads types. A small young generation costs little time, and saves 20 MB. */
export const readerFlags = [`--max-old-space-size=${memoryMb}`, "--max-semi-space-size=4"];
