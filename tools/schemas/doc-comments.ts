import { readFileSync } from "node:fs";
import ts from "typescript";

/** Doc comment of a field. */
export interface FieldComment {
  text: string;
  /** Value of `@default`. */
  default?: unknown;
}

/** Returns the doc comments of an interface's fields and of nested interfaces, by path such as `rollout.timeout`. */
export function fieldComments(file: string, ...interfaceNames: string[]): Map<string, FieldComment> {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const interfaces = new Map<string, Fields>();
  for (const found of source.statements.filter(ts.isInterfaceDeclaration))
    interfaces.set(found.name.text, { node: found, members: [...found.members] });
  for (const found of source.statements.filter(ts.isTypeAliasDeclaration))
    interfaces.set(found.name.text, { node: found, members: literalMembers(found.type) });
  const comments = new Map<string, FieldComment>();
  const follow = (name: string, path: string[]): void => {
    for (const member of (interfaces.get(name)?.members ?? []).filter(ts.isPropertySignature)) {
      const inside = [...path, member.name.getText()];
      const below = referencedTypes(member.type).find((type) => interfaces.has(type));
      const comment = commentOf(member) ?? (below && commentOf(interfaces.get(below)!.node));
      if (comment) comments.set(inside.join("."), comment);
      if (below) follow(below, inside);
    }
  };
  for (const name of interfaceNames) follow(name, []);
  return comments;
}

/** Interface or type alias with fields. */
interface Fields {
  node: ts.Node;
  members: ts.TypeElement[];
}

/** Returns the fields that a type or a part of an intersection type declares itself. */
function literalMembers(type: ts.TypeNode): ts.TypeElement[] {
  if (ts.isTypeLiteralNode(type)) return [...type.members];
  return ts.isIntersectionTypeNode(type) ? type.types.flatMap(literalMembers) : [];
}

/** Returns the names of referenced types, such as `Input` and `RolloutArgs` in `Input<RolloutArgs>`. */
function referencedTypes(node: ts.Node | undefined): string[] {
  if (!node) return [];
  const own = ts.isTypeReferenceNode(node) ? [node.typeName.getText()] : [];
  const inside: string[] = [];
  node.forEachChild((child) => void inside.push(...referencedTypes(child)));
  return [...own, ...inside];
}

function commentOf(node: ts.Node): FieldComment | undefined {
  const [doc] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  const text = ts.getTextOfJSDocComment(doc?.comment)?.replace(/\s+/g, " ");
  if (!text) return undefined;
  const defaultTag = doc!.tags?.find(({ tagName }) => tagName.text === "default")?.comment;
  return { text, ...(defaultTag && { default: JSON.parse(ts.getTextOfJSDocComment(defaultTag)!) }) };
}
