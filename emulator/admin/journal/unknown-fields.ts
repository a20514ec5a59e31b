/** Paths of the fields that were sent but not understood: those that parsing dropped. */
export function unknownFields(sent: unknown, understood: unknown, path = ""): string[] {
  if (Array.isArray(sent) && Array.isArray(understood))
    return sent.flatMap((item, index) => unknownFields(item, understood[index], `${path}[${index}]`));
  if (!isObject(sent) || !isObject(understood)) return [];
  return Object.entries(sent).flatMap(([key, value]) => {
    const place = path ? `${path}.${key}` : key;
    return key in understood ? unknownFields(value, understood[key], place) : [place];
  });
}

function isObject(part: unknown): part is Record<string, unknown> {
  return typeof part === "object" && part !== null && !Array.isArray(part);
}
