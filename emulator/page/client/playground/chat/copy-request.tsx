import { useTools } from "../../tools";
import { type AgentRequest, languages, requestCode } from "../agent/request-code";

/** Displays buttons that copy a request as code, without the key. */
export function CopyRequest({ url, request }: { url: string; request: AgentRequest }) {
  const { act } = useTools();
  return (
    <span class="copy" role="group" aria-label="Copy the request">
      Copy as
      {languages.map((language) => (
        <button
          key={language}
          type="button"
          class="small"
          onClick={() =>
            void act(`The request was copied as ${language}.`, () =>
              navigator.clipboard.writeText(requestCode(language, url, request)),
            )
          }
        >
          {language}
        </button>
      ))}
    </span>
  );
}
