/** Memory limit for values of a process that reads types, in MB. */
export const memoryMb = 1024;

/** Node flags of that process: a small young generation takes little time and saves 20 MB. */
export const readerFlags = [`--max-old-space-size=${memoryMb}`, "--max-semi-space-size=4"];
