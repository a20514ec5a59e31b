import { useState } from "preact/hooks";
import { type Declaration, languages, type Language } from "../program/declaration";
import { useTools } from "../tools";

interface CopyProgramProps {
  /** Subject of the label "Copy … as a Pulumi program". */
  subject: string;
  /** Returns the declaration of the resource, for a control plane with this dialect. */
  declare: (dialect: string) => Declaration | Promise<Declaration>;
}

/** Displays buttons that copy a Pulumi program. The program declares a resource, and contains no keys or secrets. */
export function CopyProgram({ subject, declare }: CopyProgramProps) {
  const { session, plane, act } = useTools();
  const [isBusy, setBusy] = useState(false);
  const copy = async (language: Language) => {
    // The code is loaded when it is first needed.
    const [{ programOf }, { baseUrl, dialect }] = await Promise.all([
      import("../program/program"),
      plane.facts(),
    ]);
    const connection = { baseUrl, tenantId: session.tenantId };
    await navigator.clipboard.writeText(programOf(language, await declare(dialect), connection));
  };
  const start = async (language: Language) => {
    setBusy(true);
    await act(`The program was copied in ${language}.`, () => copy(language));
    setBusy(false);
  };
  return (
    <span class="copy" role="group" aria-label={`Copy ${subject} as a Pulumi program`}>
      Copy program
      {languages.map((language) => (
        <button
          key={language}
          type="button"
          class="small"
          disabled={isBusy}
          onClick={() => void start(language)}
        >
          {language}
        </button>
      ))}
    </span>
  );
}
