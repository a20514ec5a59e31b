/** A pattern of whole names, in which `*` stands for any text and `?` for any character. */
export function namePattern(text: string): RegExp {
  const parts = Array.from(text, (one) => {
    if (one === "*") return "[^]*";
    return one === "?" ? "[^]" : one.replace(/[\\^$.|+()[\]{}/]/, "\\$&");
  });
  return new RegExp(`^${parts.join("")}$`, "u");
}
