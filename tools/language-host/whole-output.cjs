// Preloaded into every program: writes to a pipe beyond its buffer are otherwise lost when the program calls
// process.exit(), because node does them later. Blocking writes are finished before the call returns.
for (const stream of [process.stdout, process.stderr]) stream._handle?.setBlocking?.(true);
