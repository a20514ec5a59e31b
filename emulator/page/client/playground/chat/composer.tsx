import { useRef, useState } from "preact/hooks";
import type { TargetedSubmitEvent } from "preact";
import { useSchemas } from "../agent-context";
import { hasMessages, inputFields, inputValue, jsonOf, type Schema } from "../agent/input-fields";
import { SchemaFields, textsOf } from "./schema-fields";

const modes = [
  ["chat", "Chat"],
  ["form", "Form"],
  ["json", "JSON"],
] as const;

type Mode = (typeof modes)[number][0];

interface ComposerProps {
  isDisabled: boolean;
  onSubmit: (input: unknown) => void;
}

/** Displays the input of a run: a message, a form that is generated from the schema of the graph, or JSON. */
export function Composer({ isDisabled, onSubmit }: ComposerProps) {
  const { value: schemas, problem: schemaProblem } = useSchemas();
  const [chosen, setChosen] = useState<Mode>();
  const [files, setFiles] = useState<File[]>([]);
  const [problem, setProblem] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  const schema = schemas?.input_schema as Schema | null | undefined;
  const mode = chosen ?? (schemas && !hasMessages(schema) ? "form" : "chat");

  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { currentTarget } = event;
    const texts = textsOf(currentTarget);
    setProblem(undefined);
    try {
      onSubmit(await inputOf(mode, texts, files, schema));
      if (mode !== "chat") return;
      currentTarget.reset();
      setFiles([]);
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  const choose = (input: HTMLInputElement) => {
    const chosenFiles = [...(input.files ?? [])];
    const other = chosenFiles.find(({ type }) => !type.startsWith("image/"));
    if (other) input.value = "";
    setFiles(other ? [] : chosenFiles);
    setProblem(other && `${other.name} is not an image.`);
  };
  return (
    <form class="composer" ref={form} method="post" onSubmit={(event) => void submit(event)}>
      <div class="modes" role="group" aria-label="Input">
        {modes.map(([name, title]) => (
          <button
            key={name}
            type="button"
            class="small"
            aria-pressed={name === mode}
            onClick={() => {
              setChosen(name);
              setFiles([]);
              setProblem(undefined);
            }}
          >
            {title}
          </button>
        ))}
      </div>
      {mode === "chat" && (
        <>
          <textarea
            name="message"
            aria-label="Message"
            placeholder="Message (press Enter to send, Shift+Enter for a new line)"
            rows={3}
            required={files.length === 0}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
              event.preventDefault();
              if (!isDisabled) form.current?.requestSubmit();
            }}
          />
          <label class="attach">
            Attach images
            <input type="file" accept="image/*" multiple onChange={(event) => choose(event.currentTarget)} />
          </label>
        </>
      )}
      {mode === "form" &&
        (schema ? (
          <SchemaFields fields={inputFields(schema)} />
        ) : (
          <p class="quiet">
            {schemaProblem ?? (schemas ? "The graph has no input schema." : "Reading the schema…")}
          </p>
        ))}
      {mode === "json" && (
        <textarea
          name="json"
          aria-label="Input as JSON"
          rows={6}
          spellcheck={false}
          defaultValue="{}"
          required
        />
      )}
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <button type="submit" class="primary" disabled={isDisabled || (mode === "form" && !schema)}>
        {mode === "chat" ? "Send" : "Run"}
      </button>
    </form>
  );
}

async function inputOf(
  mode: Mode,
  texts: Record<string, string>,
  files: File[],
  schema: Schema | null | undefined,
): Promise<unknown> {
  if (mode === "form") return inputValue(inputFields(schema ?? {}), texts);
  if (mode === "json") return jsonOf(texts["json"] ?? "", "Input");
  const text = texts["message"] ?? "";
  const images = await Promise.all(files.map(dataUrl));
  const content =
    images.length === 0
      ? text
      : [
          ...(text === "" ? [] : [{ type: "text", text }]),
          ...images.map((url) => ({ type: "image_url", image_url: { url } })),
        ];
  return { messages: [{ type: "human", content }] };
}

function dataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result as string));
    reader.addEventListener("error", () => reject(reader.error ?? new Error("The file cannot be read.")));
    reader.readAsDataURL(file);
  });
}
