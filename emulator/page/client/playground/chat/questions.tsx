import { useState } from "preact/hooks";
import type { TargetedSubmitEvent } from "preact";
import { Untrusted } from "../../elements/untrusted";
import { inputFields, inputValue, jsonOf } from "../agent/input-fields";
import type { Question } from "../agent/transcript";
import { SchemaFields, textsOf } from "./schema-fields";

interface QuestionsProps {
  questions: Question[];
  /** Called with the answer or, if there are several questions, with the answers by question. */
  onAnswer: (resume: unknown) => void;
}

/** Displays the questions of an interrupted run. The run resumes when all of them are answered. */
export function Questions({ questions, onAnswer }: QuestionsProps) {
  const [answers, setAnswers] = useState<ReadonlyMap<number, unknown>>(new Map());
  const answer = (place: number, value: unknown) => {
    const all = new Map(answers).set(place, value);
    setAnswers(all);
    if (all.size < questions.length) return;
    setAnswers(new Map());
    onAnswer(
      questions.length === 1
        ? value
        : Object.fromEntries(questions.map(({ id = "" }, index) => [id, all.get(index)])),
    );
  };
  return (
    <section class="questions" aria-label="Questions">
      <h3>The run waits for {questions.length === 1 ? "an answer" : `${questions.length} answers`}</h3>
      {questions.map((question, place) => (
        <QuestionForm
          key={question.id ?? place}
          question={question}
          isAnswered={answers.has(place)}
          onAnswer={(value) => answer(place, value)}
        />
      ))}
    </section>
  );
}

interface QuestionFormProps {
  question: Question;
  isAnswered: boolean;
  onAnswer: (value: unknown) => void;
}

function QuestionForm({ question: { value, schema }, isAnswered, onAnswer }: QuestionFormProps) {
  const [isJson, setJson] = useState(false);
  const [problem, setProblem] = useState<string>();
  const fields = schema && !isJson ? inputFields(schema, "Answer") : undefined;
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const texts = textsOf(event.currentTarget);
    const { answer = "" } = texts;
    setProblem(undefined);
    try {
      onAnswer(fields ? inputValue(fields, texts) : isJson ? jsonOf(answer, "Answer") : answer);
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  if (isAnswered) return <p class="quiet">Answered.</p>;
  return (
    <form class="question" method="post" onSubmit={submit}>
      <Untrusted text={typeof value === "string" ? value : JSON.stringify(value, undefined, 2)} tag="pre" />
      {fields ? (
        <SchemaFields fields={fields} />
      ) : (
        <textarea name="answer" aria-label="Answer" rows={2} required />
      )}
      <label class="check">
        <input type="checkbox" checked={isJson} onChange={(event) => setJson(event.currentTarget.checked)} />
        Answer with JSON
      </label>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <button type="submit" class="primary">
        Resume
      </button>
    </form>
  );
}
