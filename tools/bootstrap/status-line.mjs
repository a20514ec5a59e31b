const frameMs = 200;
const plainMs = 15_000;

/** Displays the duration of a step: as a live line on a terminal, otherwise as a plain line every 15 s. */
export function statusLine(label, stream = process.stderr) {
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  const draw = () =>
    stream.write(stream.isTTY ? `\r\x1b[2K${label}… ${seconds()}s` : `${label}… ${seconds()}s\n`);

  stream.write(stream.isTTY ? `${label}…` : `${label}…\n`);
  let timer = setInterval(draw, stream.isTTY ? frameMs : plainMs);
  return {
    /** Stops updating the line, and optionally replaces it with a final line. Further calls have no effect. */
    end(last) {
      if (timer === undefined) return;
      clearInterval(timer);
      timer = undefined;
      if (stream.isTTY) stream.write("\r\x1b[2K");
      if (last) stream.write(`${last} (${seconds()}s)\n`);
    },
  };
}
