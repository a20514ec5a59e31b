import { useId } from "preact/hooks";

interface TextAreaProps {
  title: string;
  name: string;
  rows: number;
  defaultValue?: string;
  required?: boolean;
}

/** Displays a labeled input for JSON. */
export function TextArea({ title, name, rows, defaultValue, required }: TextAreaProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{title}</label>
      <textarea
        id={id}
        name={name}
        rows={rows}
        spellcheck={false}
        defaultValue={defaultValue}
        required={required}
      />
    </div>
  );
}
