/** Formats a number of bytes in the largest binary unit that it fills: `7 bytes`, `1.5 MiB`, `200 MiB`. */
export function sizeText(bytes: number): string {
  const rounded = (size: number) => Number((bytes / size).toFixed(1));
  const [unit, size] = units.find(([, size]) => rounded(size) >= 1) ?? [bytes === 1 ? "byte" : "bytes", 1];
  return `${rounded(size)} ${unit}`;
}

const units = [
  ["GiB", 1024 ** 3],
  ["MiB", 1024 ** 2],
  ["KiB", 1024],
] as const;
