import type { ComponentChildren, InputHTMLAttributes } from "preact";
import { useId, useRef } from "preact/hooks";

/** Values of a form by field. A field that is empty or disabled has no value. */
export type Values = Record<string, string | number | undefined>;

/** Option of a list: its value, and its text if the text differs from the value. */
type Option = readonly [value: string, text?: string];

interface FieldProps {
  title: string;
  name: string;
  type?: "text" | "password" | "number";
  defaultValue?: string | number;
  placeholder?: string;
  list?: string;
  min?: number;
  max?: number;
  step?: "any";
  required?: boolean;
  /** Options to choose from; without them, the field is a text input. */
  options?: readonly Option[];
  onChoose?: (value: string) => void;
}

/** Displays a labeled text input, or a labeled list of options. */
export function Field({ title, options, onChoose, name, ...attributes }: FieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{title}</label>
      {options ? (
        <select id={id} name={name} onChange={(event) => onChoose?.(event.currentTarget.value)}>
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text ?? value}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          name={name}
          type="text"
          spellcheck={false}
          autocomplete="off"
          {...(attributes as InputHTMLAttributes)}
        />
      )}
    </div>
  );
}

/** Returns the values of a form, without surrounding spaces. */
export function valuesOf(form: HTMLFormElement): Values {
  const values: Values = {};
  for (const [name, value] of new FormData(form)) {
    const text = typeof value === "string" ? value.trim() : "";
    const control = form.elements.namedItem(name);
    const isNumber = control instanceof HTMLInputElement && control.type === "number";
    if (text !== "") values[name] = isNumber ? Number(text) : text;
  }
  return values;
}

interface FilterProps {
  title: string;
  options: readonly Option[];
  value: string;
  onChoose: (value: string) => void;
}

/** Displays a list of options that starts with an option to select everything. */
export function Filter({ title, options, value, onChoose }: FilterProps) {
  return (
    <select aria-label={title} value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
      <option value="">{title}: all</option>
      {options.map(([name, text]) => (
        <option key={name} value={name}>
          {text ?? name}
        </option>
      ))}
    </select>
  );
}

interface FormProps {
  onSubmit: (values: Values) => void;
  children: ComponentChildren;
}

/** Displays a form that is submitted without leaving the page. */
export function Form({ onSubmit, children }: FormProps) {
  return (
    <form
      method="post"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(valuesOf(event.currentTarget));
      }}
    >
      {children}
    </form>
  );
}

interface DialogButtonProps extends FormProps {
  /** Text of the button that opens the dialog. */
  text: string;
  hint?: string;
  title: string;
  submit: string;
  disabled?: boolean;
  danger?: boolean;
  /** True if the button that opens the dialog is small and has no color. */
  small?: boolean;
}

/** Displays a button that opens a dialog with a form. Escape closes the dialog. */
export function DialogButton(props: DialogButtonProps) {
  const { text, hint, title, submit, disabled, danger = false, small = false, onSubmit, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const close = () => dialog.current?.close();
  return (
    <>
      <button
        type="button"
        class={small ? "small" : danger ? "danger" : undefined}
        title={hint}
        disabled={disabled}
        onClick={() => dialog.current?.showModal()}
      >
        {text}
      </button>
      <dialog ref={dialog} aria-label={title}>
        <Form
          onSubmit={(values) => {
            close();
            onSubmit(values);
          }}
        >
          <h2>{title}</h2>
          {children}
          <div class="buttons">
            <button type="button" class="plain" onClick={close}>
              Cancel
            </button>
            <button type="submit" class={danger ? "danger" : "primary"}>
              {submit}
            </button>
          </div>
        </Form>
      </dialog>
    </>
  );
}
