import { useId } from "preact/hooks";
import type { InputField } from "../agent/input-fields";

/** Displays inputs for the fields of a schema. */
export function SchemaFields({ fields }: { fields: InputField[] }) {
  return (
    <>
      {fields.map((field) => (
        <SchemaField key={field.name} field={field} />
      ))}
    </>
  );
}

function SchemaField({ field }: { field: InputField }) {
  if (field.kind !== "group") return <SimpleField field={field} />;
  const { title, description, fields } = field;
  return (
    <fieldset>
      <legend>{title}</legend>
      {description && <p class="quiet small">{description}</p>}
      <SchemaFields fields={fields} />
    </fieldset>
  );
}

function SimpleField({ field }: { field: InputField }) {
  const id = useId();
  const { kind, name, title, description, isRequired, choices, initial } = field;
  const shared = {
    id,
    name,
    required: isRequired,
    "aria-describedby": description ? `${id}-about` : undefined,
  };
  return (
    <div class="field">
      <label for={id}>
        {title}
        {kind === "json" && " (JSON)"}
      </label>
      {kind === "boolean" || kind === "choice" ? (
        <select {...shared}>
          <option value="">none</option>
          {(kind === "boolean" ? ["true", "false"] : choices).map((choice) => (
            <option key={choice} value={choice} selected={choice === initial}>
              {kind === "choice" ? String(JSON.parse(choice)) : choice}
            </option>
          ))}
        </select>
      ) : kind === "number" ? (
        <input {...shared} type="number" step="any" defaultValue={initial} />
      ) : (
        <textarea
          {...shared}
          rows={kind === "json" ? 3 : 2}
          spellcheck={kind === "text"}
          defaultValue={initial}
        />
      )}
      {description && (
        <p id={`${id}-about`} class="quiet small">
          {description}
        </p>
      )}
    </div>
  );
}

/** Returns the text of each field in a form, keyed by field name. */
export function textsOf(form: HTMLFormElement): Record<string, string> {
  const texts = [...new FormData(form)].map(([name, value]) => [
    name,
    typeof value === "string" ? value : "",
  ]);
  return Object.fromEntries(texts) as Record<string, string>;
}
