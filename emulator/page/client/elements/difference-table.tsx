import { Untrusted } from "./untrusted";

interface DifferenceTableProps {
  title: string;
  /** Title of the first column. */
  subject: string;
  differences: { name: string; before: string | undefined; after: string | undefined }[];
}

/** Displays a table of values that differ. */
export function DifferenceTable({ title, subject, differences }: DifferenceTableProps) {
  return (
    <table aria-label={title}>
      <thead>
        <tr>
          <th scope="col">{subject}</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {differences.map(({ name, before, after }) => (
          <tr key={name}>
            <th scope="row">
              <Untrusted text={name} />
            </th>
            <td>
              <Untrusted text={before ?? "none"} />
            </td>
            <td>
              <Untrusted text={after ?? "none"} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
