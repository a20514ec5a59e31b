import { readFileSync } from "node:fs";
import ts from "typescript";

/** Doc comment of a field. */
export interface FieldComment {
  text: string;
  /** Value of the comment's `@default` tag. */
  default?: unknown;
  /** Text of the comment's `@default` tag, if it is not a value. */
  defaultText?: string;
  /** Declared type of the field, if that type has fields. */
  type?: { name: string; text?: string };
}

/**
 * Returns the doc comments of the fields of interfaces, classes, and type aliases, including inherited fields and the
 * fields of nested types. The keys are paths, such as `rollout.timeout`. Later declarations take precedence.
 */
export function fieldComments(files: string | string[], ...names: string[]): Map<string, FieldComment> {
  const declared = new Map([files].flat().flatMap((file) => [...declarationsIn(file)]));
  const comments = new Map<string, FieldComment>();
  const follow = (members: readonly ts.Node[], path: string[]): void => {
    for (const member of members.filter(isField)) {
      const inside = [...path, member.name.getText()];
      const below = referencedTypes(member.type).find((name) => declared.has(name));
      const typeComment = below === undefined ? undefined : commentOf(declared.get(below)!.node);
      const comment = commentOf(member) ?? typeComment;
      const type = below === undefined ? undefined : { name: below, text: typeComment?.text };
      if (comment) comments.set(inside.join("."), { ...comment, type });
      follow(below ? declared.get(below)!.members : literalMembers(member.type), inside);
    }
  };
  const followDeclaration = (name: string): void => {
    const found = declared.get(name);
    if (!found) return;
    if (ts.isInterfaceDeclaration(found.node))
      for (const clause of found.node.heritageClauses ?? [])
        for (const { expression } of clause.types) followDeclaration(expression.getText());
    follow(found.members, []);
  };
  for (const name of names) followDeclaration(name);
  return comments;
}

/**
 * Returns the names of the outputs of a class that are always present: those whose types do not include `undefined`.
 */
export function requiredOutputs(file: string, className: string): string[] {
  return declarationsIn(file)
    .get(className)!
    .members.filter(isField)
    .filter(({ type }) => /^pulumi\.Output<(?!unknown\b)(?!.*\bundefined\b)/s.test(type?.getText() ?? ""))
    .map(({ name }) => name.getText());
}

/** Returns the doc comment of a class, a function, or an interface. */
export function declarationComment(file: string, name: string): string | undefined {
  return sourceOf(file)
    .statements.filter(isNamed)
    .filter((found) => found.name?.text === name)
    .map((found) => commentOf(found)?.text)
    .find((text) => text !== undefined);
}

function isNamed(
  node: ts.Node,
): node is ts.ClassDeclaration | ts.FunctionDeclaration | ts.InterfaceDeclaration {
  return ts.isClassDeclaration(node) || ts.isFunctionDeclaration(node) || ts.isInterfaceDeclaration(node);
}

function sourceOf(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
}

/** Declaration of an interface, a class, or a type with fields. */
interface Fields {
  node: ts.Node;
  members: readonly ts.Node[];
}

function declarationsIn(file: string): Map<string, Fields> {
  const declared = new Map<string, Fields>();
  for (const found of sourceOf(file).statements) {
    if (ts.isInterfaceDeclaration(found) || (ts.isClassDeclaration(found) && found.name))
      declared.set(found.name!.text, { node: found, members: [...found.members] });
    if (ts.isTypeAliasDeclaration(found))
      declared.set(found.name.text, { node: found, members: literalMembers(found.type) });
  }
  return declared;
}

/** True for a field of an interface or a type, and for a field that a class declares for its users. */
function isField(node: ts.Node): node is ts.PropertySignature | ts.PropertyDeclaration {
  if (ts.isPropertySignature(node)) return true;
  return (
    ts.isPropertyDeclaration(node) &&
    !node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword)
  );
}

/** Returns the fields of the type literals in a type, such as those in `Input<{ minutes: number }>`. */
function literalMembers(node: ts.Node | undefined): ts.TypeElement[] {
  if (!node) return [];
  if (ts.isTypeLiteralNode(node)) return [...node.members];
  const inside: ts.TypeElement[] = [];
  node.forEachChild((child) => void inside.push(...literalMembers(child)));
  return inside;
}

/** Returns the names of referenced types, such as `Input` and `RolloutArgs` for `Input<RolloutArgs>`. */
function referencedTypes(node: ts.Node | undefined): string[] {
  if (!node || ts.isTypeLiteralNode(node)) return [];
  const own = ts.isTypeReferenceNode(node) ? [node.typeName.getText()] : [];
  const inside: string[] = [];
  node.forEachChild((child) => void inside.push(...referencedTypes(child)));
  return [...own, ...inside];
}

function commentOf(node: ts.Node): FieldComment | undefined {
  const [doc] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  const defaultTag = doc?.tags?.find(({ tagName }) => tagName.text === "default")?.comment;
  const defaultText = ts.getTextOfJSDocComment(defaultTag)?.replace(/\s+/g, " ");
  const text = ts.getTextOfJSDocComment(doc?.comment)?.replace(/\s+/g, " ");
  if (!text) return undefined;
  return { text, ...(defaultText !== undefined && defaultOf(defaultText)) };
}

/** Returns the value of `@default`, or its description. */
function defaultOf(text: string): Pick<FieldComment, "default" | "defaultText"> {
  try {
    return { default: JSON.parse(text) as unknown };
  } catch {
    return { defaultText: text };
  }
}
